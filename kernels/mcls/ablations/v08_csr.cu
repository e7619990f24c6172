// Ablation of step 8: arrays, __ldg()
// Change: as v8, but entries are in arrays. Predicted: the rate of v8 on lap2d, a little more on shift1d.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v8_csr {

using Loaded = Loads<ReadOnly>;

constexpr Design design = design_of_report<ForwardTables<CsrRows>>(replay_forward_entries);

extern const bench::Step step;
const bench::Step step = {
    .name = "v8_csr",
    .after = "v8",
    .title = "v8, arrays",
    .technique = "arrays, __ldg()",
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

}  // namespace mcls::v8_csr
