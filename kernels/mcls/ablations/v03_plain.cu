// Ablation of step 3: plain loads
// Change: as v3, but nothing tells the compiler that tables are only read. Predicted: the rate of v3.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v3_plain {

using Loaded = Loads<Plainly>;

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v3_plain",
    .after = "v3",
    .title = "v3, plain loads",
    .technique = "loads through L1 as data that may change",
    .lesson = "Whether __ldg() does anything that a plain load does not.",
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

}  // namespace mcls::v3_plain
