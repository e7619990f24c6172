// Ablation of step 8: structs, plain loads through L1
// Change: as v8, but nothing tells the compiler that tables are only read. Predicted: the rate of v8.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v8_plain {

using Loaded = Loads<Plainly>;

constexpr Design design = design_of_report<ForwardTables<StructRows>>(replay_forward_entries);

extern const bench::Step step;
const bench::Step step = {
    .name = "v8_plain",
    .after = "v8",
    .title = "v8, plain loads",
    .technique = "structs, plain loads through L1",
    .lesson = "What caches and layout do where no atomics are in the way.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_entries<Loaded, StructRows>),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_work}, {"seed", make_states}, {"walk", launch_entries<Loaded, StructRows>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v8_plain
