// Step 22: count two words at once
// Change: at levels 3 and 4 a full adder takes two words of decided samples and the bits left over from those before. It gives
//         one word of twos, which are counted, and one of ones, which stay. All else is v21.
// Why:    a population count takes the XU pipe for eight cycles, and there are two of them in the 16 instructions of 32 samples
//         at the first level, where most samples are decided: warps wait for their queue. Half as many counts take two lookups
//         for each that is saved. Predicted: 3 % more than v21. Other levels have more instructions for each count, so that
//         adders there would only make the code longer.
// Cost:   0.91 instructions per sample.
// Limit:  the ALU pipe and the issue slots, which are almost equally busy.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/pi/v22_paired_counts.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v22 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

/// How a level is decided.
struct Trips {
    template <typename LevelNetwork, typename Draw>
    static __device__ __forceinline__ v15::Level decide(Draw& draw, unsigned samples) {
        if constexpr (counted_in_pairs<LevelNetwork>) {
            return decide_in_pairs<LevelNetwork, Draw::round>(draw, samples);
        } else {
            return v15::decide<LevelNetwork, Draw::round>(draw, samples);
        }
    }
};

__constant__ const LastCells<10> constant_cells = octant_last_cells_10;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<10> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = v15::hits_among<OctantNetwork, Trips>(draw, iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v22",
    .after = "v21",
    .title = "Count two words at once",
    .technique = "a full adder before half as many population counts",
    .lesson = "A few instructions of a fast pipe can halve the work of a slow one.",
    .estimand = bench::hits({.source = sources::alternating_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(10, v15::lanes* rng::AlternatingMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v22
