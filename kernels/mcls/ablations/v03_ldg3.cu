// Ablation of step 3: read-only loads in place 3
// Change: as v2, but rows, states and factors use __ldg(). Predicted: less than half of the gain of v3.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v3_ldg3 {

using Loaded = Loads<ThroughL2, ThroughL2, ReadOnly>;

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v3_ldg3",
    .after = "v3",
    .title = "v3, place 3 alone",
    .technique = "__ldg() for rows, states and factors",
    .lesson = "How much of step 3 comes from rows, states and factors.",
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

}  // namespace mcls::v3_ldg3
