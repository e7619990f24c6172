// Step 6: pinned memory
// Change: as a5, but the host's arrays are in pinned memory.
// Why:    the GPU's copy engine reads pinned memory directly. From pageable memory a core first copies every byte into a
//         pinned buffer of the driver. Predicted: the copy at 55 GB/s in place of 10, 0.145 ns a sample; 0.28 in all.
// Cost:   as a5. The memory cannot be paged out, and takes long to allocate, outside of the timed region.
// Limit:  one core's generator. Next: all cores.
#include "kernels/arrays/shared/hit_sum.hpp"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a6 {

extern const bench::Step step;
const bench::Step step = {
    .name = "a6",
    .after = "a5",
    .title = "Pinned",
    .technique = "host arrays in pinned memory",
    .lesson = "The copy engine reads pinned memory by itself. Pageable memory costs a copy by a core first.",
    .estimand = bench::hits({.source = sources::mt19937}),
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .equip = equip_hit_sum,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .pinned = true, .inspect = check_words, .pcie_up = 8, .dram = 16},
    .phases = {{"rng", make_words, bench::On::host}, {"transfer", copy_words}, {"compute", sum_hits}},
};

}  // namespace arrays::a6
