// Step 8: forward histories, a thread an entry
// Change: as v7, but a thread walks all histories of its entry of x, adds them up in a register, and stores the sum.
// Why:    no atomics, and no traffic of tallies at all. But an entry is now the least piece of work. Predicted on an H200: 6
//         transitions/ns on lap2d, whose 900 entries keep 900 threads busy; 200 on shift1d.
// Cost:   106 instructions per transition: v4's without the RED.64, and a load of b and a multiply-add per visit.
// Limit:  lap2d: latency of dependent instructions, about 900 cycles a transition, random number, row, search, state, where
//         300 were predicted; shift1d: not profiled. Next: v9 goes on from v4, with other random numbers.
// Note:   the report's own kernel for this kept the atomics.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v8 {

using Loaded = Loads<ReadOnly>;

constexpr Design design = design_of_report<ForwardTables<StructRows>>(replay_forward_entries);

extern const bench::Step step;
const bench::Step step = {
    .name = "v8",
    .after = "v7",
    .title = "Forward, a thread an entry",
    .technique = "sums in registers, no atomics",
    .lesson = "A sum that one thread owns needs no atomics, but work must be enough for all threads.",
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

}  // namespace mcls::v8
