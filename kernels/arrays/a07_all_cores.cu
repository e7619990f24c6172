// Step 7: words by all cores
// Change: as a6, but all cores make words. The arrays are 64 chunks, each with a std::mt19937 for X and one for Y, so that
//         the hits do not depend on the number of cores.
// Why:    it shortens the only phase that counts. Predicted: 0.22 ns for the words on 16 cores, 0.145 for the copy; 2.7 in
//         all, ten times a6.
// Cost:   as a6.
// Limit:  the sum of the phases: cores wait while the bus works, and the bus waits while the cores work. Next: both at once.
#include "kernels/arrays/shared/hit_sum.hpp"
#include "kernels/arrays/shared/host_words.hpp"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a7 {

using bench::Launch;

cudaError_t make(const Launch& l) {
    make_chunks(words_on_host(l), {l.seed, l.index});
    return cudaSuccess;
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a7",
    .after = "a6",
    .title = "All cores",
    .technique = "words by all cores, 64 chunks with two sequences each",
    .lesson = "Only the phase that takes the time is worth the work.",
    .estimand = bench::hits({.source = sources::mt19937_chunks}),
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
    .phases = {{"rng", make, bench::On::host}, {"transfer", copy_words}, {"compute", sum_hits}},
};

}  // namespace arrays::a7
