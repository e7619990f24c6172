// Step 8: the phases overlap
// Change: as a7, but each piece of a chunk is copied as soon as a core has made it, and a chunk is tested as soon as it is
//         copied. One stream copies and another one tests; an event per chunk joins them.
// Why:    the total is the slowest phase and not the sum. Predicted: 4.3, from 0.22 ns for the words and 0.145 for the copy
//         behind them; PCIe would allow 6.9.
// Cost:   as a7, in 320 pieces of 2 MiB or 1 MiB. The calls that enqueue a piece take a core some microseconds.
// Limit:  the generator on all cores; with more of them, PCIe. Next: words made where they are used.
#include "kernels/arrays/shared/host_words.hpp"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/pipeline.cuh"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a8 {

using bench::Launch;

std::unique_ptr<bench::Equipment> equip(const Launch& l) { return std::make_unique<Pipeline>(samples_of(l)); }

cudaError_t make_copy_test(const Launch& l) {
    auto& pipeline = *static_cast<Pipeline*>(l.equipment);
    l.phase_clock->begin_on_host(Pipeline::rng);
    make_chunks(words_on_host(l), {l.seed, l.index},
                [&](unsigned piece, const Part& part) { pipeline.hand_on(l, piece, part); });
    l.phase_clock->end_on_host(Pipeline::rng);
    pipeline.finish(l);
    return cudaSuccess;
}

std::size_t with_sums(bench::Shape shape, unsigned iters) { return words_and_sums_bytes(shape, iters, chunks); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a8",
    .after = "a7",
    .title = "Overlapped",
    .technique = "words, copies and tests at the same time, in pieces",
    .lesson = "Phases that use different parts of the machine need not wait for each other.",
    .estimand = bench::hits({.source = sources::mt19937_chunks}),
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = with_sums,
    .equip = equip,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .pinned = true, .inspect = check_words, .pcie_up = 8, .dram = 16},
    .phases = {{"rng", make_copy_test, bench::On::both}, {"transfer"}, {"compute"}},
};

}  // namespace arrays::a8
