// Step 15: 32 samples per instruction
// Change: a word is no longer a coordinate but one bit of each of 32 samples. The leading 3 bits of x and y tell
//         whether a sample's cell of an 8 x 8 grid is inside the circle, outside, or cut by it: logic on 6 words
//         decides 32 samples. Of 64 cells 16 are cut. Their samples are counted and drawn anew, among the cut cells,
//         with one more bit of x and of y, and so on. The samples that level 8 leaves undecided, 1 in 128, are tested
//         as in v14.
// Why:    v14 spends 7 instructions on a sample that its first 6 bits decide in 3 cases of 4. Predicted: 9.8 words and
//         some 17 lookups for 32 samples and a short tail, about 2 instructions per sample. A word
//         keeps the pipe of its multiplication for some three turns: 14,000 to 16,000 samples/ns on an H200.
// Cost:   1.34 instructions per sample, 43 for 32 samples. Of these a word takes two, a wide multiply-add and an
//         addition.
// Limit:  the FMA heavy pipe, whose multiplications make the words; logic and population counts have other pipes.
// Note:   exact in distribution, if words are independent. A sample in a cut cell is uniform over all cut cells, whatever else is known, so
//         drawing its cell anew changes nothing; each decision uses fresh bits. Every lane has to be sound, the lowest
//         bit too: FoldedMrg. kernels/pi/v15_bit_sliced.cuh has the levels, scripts/networks makes their logic.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v15 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__constant__ const LastCells<8> constant_cells = last_cells;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<8> cells;  // constant memory would serve one address at a time
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::FoldedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = hits_among<Network>(draw, iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v15",
    .after = "v14",
    .title = "Bit-sliced and lazy",
    .technique = "32 samples a logic instruction, refined only where the arc cuts",
    .lesson = "Most samples need few bits, and 32 of those fit into a word.",
    .estimand = bench::hits({.source = sources::bit_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(8, lanes* rng::FoldedMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v15
