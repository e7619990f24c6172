// Step 21: words on two pipes
// Change: every other word is mixed by a shift and an addition, one instruction, instead of a dot product. The generator has
//         20 words of state, so that a word and the one 20 before it are mixed alike. All else is v20.
// Why:    v20 makes words by a multiply-add and a dot product. Both go to the FMA heavy pipe, two cycles each, so 8.1 words
//         take 32 of its cycles and 29 instructions wait for them. The ALU pipe has time to spare. With a half of the mixes
//         there, each pipe takes some 26 cycles. Predicted: 8 % more than v20, as the registers' ports then limit: 62 words
//         are read for 32 samples, and two can be read per cycle.
// Cost:   0.895 instructions per sample.
// Limit:  the issue slots, a quarter of which stay empty while warps wait for a pipe or for the queue of population counts.
// Note:   the two mixes in turns are sounder than either alone, too: kernels/random/mrg.cuh.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v21 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

__constant__ const LastCells<10> constant_cells = octant_last_cells_10;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<10> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = v15::hits_among<OctantNetwork>(draw, iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v21",
    .after = "v20",
    .title = "Words on two pipes",
    .technique = "words mixed by a dot product and by a shift in turns",
    .lesson = "Two instructions that do the same on different pipes, in turns, are faster than either alone.",
    .estimand = bench::hits({.source = sources::alternating_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(10, v15::lanes* rng::AlternatingMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v21
