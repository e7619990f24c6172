// Step 3: read-only loads
// Change: as v2, but all loads of tables are __ldg(), the load of data that nobody writes.
// Why:    on the report's GPU this was the way to the texture cache, as L1 did not cache global memory: it took 45 % of the
//         time away. Since sm_70 both are one cache, which caches plain loads as well (ablations/v03_plain.cu). Predicted on
//         an H200: 17 transitions/ns on lap2d, where atomics are the limit, 45 on shift1d and sp1; plain loads the same.
// Cost:   102 instructions per transition, 6 to 8 loads and one RED.64; most loads hit L1.
// Limit:  lap2d: latency of memory, of the atomics on 7 kB, 17 per ns; sp1: expected, loads from different sectors of L1,
//         about 700 per ns; shift1d: L1 holds 5 sectors a thread, and a transition touches 4. Next: an entry's data side by side.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v3 {

using Loaded = Loads<ReadOnly>;

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v3",
    .after = "v2",
    .title = "Read-only loads",
    .technique = "__ldg() for all tables",
    .lesson = "What a special instruction once did, a plain load does now.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_adjoint<Loaded, CsrRows>),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_counts}, {"seed", make_states}, {"walk", launch_adjoint<Loaded, CsrRows>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v3
