// Ablation of step 3: read-only loads in place 2
// Change: as v2, but the weight of the start uses __ldg(). Predicted: no gain: one load a history.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v3_ldg2 {

using Loaded = Loads<ThroughL2, ReadOnly, ThroughL2>;

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v3_ldg2",
    .after = "v3",
    .title = "v3, place 2 alone",
    .technique = "__ldg() for the weight of the start",
    .lesson = "How much of step 3 comes from the weight of the start.",
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

}  // namespace mcls::v3_ldg2
