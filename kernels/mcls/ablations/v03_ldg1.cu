// Ablation of step 3: read-only loads in place 1
// Change: as v2, but the two searches use __ldg(). Predicted: most of the gain of v3 on sp1, where searches are long.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v3_ldg1 {

using Loaded = Loads<ReadOnly, ThroughL2, ThroughL2>;

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v3_ldg1",
    .after = "v3",
    .title = "v3, place 1 alone",
    .technique = "__ldg() for the two searches",
    .lesson = "How much of step 3 comes from the two searches.",
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

}  // namespace mcls::v3_ldg1
