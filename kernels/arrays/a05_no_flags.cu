// Step 5: no flags
// Change: as a4, but test and sum are one pass: CUB's DeviceReduce::Sum over an iterator that reads x and y and gives 1 for
//         a hit (shared/hit_sum.cu). No flag is stored.
// Why:    the flags were 8 of the 16 bytes that test and sum moved per sample. Predicted: the pass at 537 samples/ns, twice a4's
//         two; still 0.23 in all. A reduction from a library is one line.
// Cost:   8 bytes up over PCIe; 16 bytes of GPU memory, 8 of them the copy's.
// Limit:  one core's generator, then the copy. Next: pinned memory.
#include "kernels/arrays/shared/hit_sum.hpp"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a5 {

extern const bench::Step step;
const bench::Step step = {
    .name = "a5",
    .after = "a4",
    .title = "No flags",
    .technique = "test and sum in one pass, cub::DeviceReduce",
    .lesson = "What is not stored need not be read. A library's reduction is one line.",
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
    .arrays = {.host_bytes = words_bytes, .inspect = check_words, .pcie_up = 8, .dram = 16},
    .phases = {{"rng", make_words, bench::On::host}, {"transfer", copy_words}, {"compute", sum_hits}},
};

}  // namespace arrays::a5
