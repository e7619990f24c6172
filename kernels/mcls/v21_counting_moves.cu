// Step 21: counting moves
// Change: as v16, but a path has one word, which counts and moves: the state that the path leads to in its 10 lowest bits, and
//         above them how many walkers took it. The atomic that counts returns the word, and so the move. Blocks take histories
//         in turn, so that those that start at a time start side by side.
// Why:    one access to shared memory serves three transitions, where v16 needs a load and an atomic. Where walkers meet in
//         banks depends on their paths alone, so neighbours may start together, and what they start from is in L1. Predicted on
//         an H200: 3,600 transitions/ns on lap2d.
// Cost:   4.4 instructions per transition: per path 2 for its bits, an ATOMS and 2 for the row, and its part of the word.
// Limit:  shared memory, whose banks take 4 cycles for the atomic of 32 lanes, of which 27 still walk, half of what v16 needs; and
//         each path waits for the atomic of the one before. Predicted was that latency alone.
// Note:   a word for each of 64 paths of a state: 256 bytes a state, 907 states on an H200. A word has 22 bits to count the
//         walkers of a block.
#include "bench/step.hpp"
#include "kernels/mcls/launches/counted_paths.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/tables/path_tables.hpp"
#include "kernels/mcls/v21_counting_moves.cuh"

namespace mcls::v21 {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = QuarterPaths;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, bench::Count* cells, Counts counts) {
    walk_counting_moves(method, keys, launch, histories, Order::in_turn, cells, counts);
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, PathWords::bytes_of_block(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories, cells_of<Method>(l),
        Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 200'000'000,
    .instead = "v12",
    .for_steps = "v14",
    .bits_of_first = 24,
    .histories_of_block = histories_of_paths,
    .shared_bytes = PathWords::bytes_of_block,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v21",
    .after = "v16",
    .title = "Counting moves",
    .technique = "a path of three transitions by one atomic, which counts and moves",
    .lesson = "An atomic returns what it adds to: a counter can carry data.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counted_paths}, {"walk", launch}, {"add", add_counted_paths}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v21
