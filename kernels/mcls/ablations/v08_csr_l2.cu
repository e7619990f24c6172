// Ablation of step 8: arrays, loads through L2
// Change: as v8, but entries are in arrays and L1 does not cache loads: the report's first version. Predicted: a fourth of v8.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v8_csr_l2 {

using Loaded = Loads<ThroughL2>;

constexpr Design design = design_of_report<ForwardTables<CsrRows>>(replay_forward_entries);

extern const bench::Step step;
const bench::Step step = {
    .name = "v8_csr_l2",
    .after = "v8",
    .title = "v8, arrays from L2",
    .technique = "arrays, loads through L2",
    .lesson = "What caches and layout do where no atomics are in the way.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_entries<Loaded, CsrRows>),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_work}, {"seed", make_states}, {"walk", launch_entries<Loaded, CsrRows>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v8_csr_l2
