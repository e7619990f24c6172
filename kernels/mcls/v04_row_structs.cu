// Step 4: row structs
// Change: as v3, but the value, the cumulative probability, the factor and the state of an entry are a struct of 32 bytes.
// Why:    the entry that a search finds is one sector of memory in place of three. But probabilities are now 32 bytes apart: a
//         search meets a new sector at each probe, where it had 4 probabilities a sector. Predicted on an H200: 17
//         transitions/ns on lap2d, as atomics are the limit, 40 on shift1d, whose 64 MB of structs exceed L2, 50 on sp1.
// Cost:   102 instructions per transition, as in v3, with 32 in place of 20 bytes an entry; collisions never need the value.
// Limit:  latency of memory, as in v3. Next: random numbers in batches.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v4 {

using Loaded = Loads<ReadOnly>;

constexpr Design design = design_of_report<AdjointTables<StructRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v4",
    .after = "v3",
    .title = "Row structs",
    .technique = "a struct of 32 bytes for each entry of a row",
    .lesson = "Data that is used together should lie together, and data that is searched should not lie apart.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_adjoint<Loaded, StructRows>),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_counts}, {"seed", make_states}, {"walk", launch_adjoint<Loaded, StructRows>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v4
