// Step 24: the deciding bit first
// Change: the first level draws its planes one after another. Samples whose v1 is 0 are inside, half of all. The others draw v3.
//         Where that is 1, v0 says whether they are outside or cut. Where it is 0, they draw v0, v2 and v4 together, as before.
//         Ones are counted by the full adders of v22. All else is v23.
// Why:    v23 draws five planes at the first level, and half of the samples need only one of them. Which samples go on is not
//         needed, only how many, so each of those that do draws its next bit in a word that is full again. The first level
//         draws 2.5 bits a sample instead of five, and all levels 5.6 instead of 8.1. Predicted: 1.3 times v23 and not
//         1.45, as what is left of each loop, fewer samples than a trip, is as much as before.
// Cost:   0.67 instructions per sample, where 0.53 was predicted.
// Limit:  the issue slots and the ALU pipe, which are almost equally busy, as predicted.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/first_bits.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/pi/v22_paired_counts.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v24 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

/// Groups of a trip from level 5 on: 10 if they take whole rounds of words, else 20.
template <typename LevelNetwork, typename Draw>
constexpr unsigned short_trip = 10 * LevelNetwork::planes % Draw::round == 0 ? 10 : 20;

/// How a level is decided.
struct Trips {
    template <typename LevelNetwork, typename Draw>
    static __device__ __forceinline__ v15::Level decide(Draw& draw, unsigned samples) {
        if constexpr (v22::counted_in_pairs<LevelNetwork>) {
            return v22::decide_in_pairs<LevelNetwork, Draw::round>(draw, samples);
        } else {
            return v15::decide<LevelNetwork, short_trip<LevelNetwork, Draw>>(draw, samples);
        }
    }
};

/// How many of `samples` samples have a 1 in the next plane.
template <typename Draw>
__device__ __forceinline__ unsigned ones_among(Draw& draw, unsigned samples) {
    constexpr unsigned trip = 2 * Draw::round;  // words
    CountInPairs ones;
    unsigned left = samples;
    for (; left >= trip * v15::lanes; left -= trip * v15::lanes) {
#pragma unroll
        for (unsigned pair = 0; pair < trip / 2; pair++) {
            const unsigned first = draw(), second = draw();
            ones.add(first, second);
        }
    }
    unsigned rest = 0;
    while (left > 0) {
#pragma unroll
        for (unsigned turn = 0; turn < Draw::turns; turn++) {
            rest += __popc(draw() & v15::counted(left));
            left -= min(left, v15::lanes);
        }
    }
    return ones.total() + rest;
}

__constant__ const LastCells<10> constant_cells = octant_last_cells_10;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<10> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const unsigned undecided = ones_among(draw, iters);  // v1; the others are inside
    const unsigned far = ones_among(draw, undecided);    // v3
    const unsigned outside = ones_among(draw, far);      // v0; the others are cut
    const v15::Level near = v15::decide<NearPieces, draw.round>(draw, undecided - far);
    const unsigned cut = far - outside + near.cut();
    const Count local =
        iters - undecided + near.inside + v15::hits_among<OctantNetwork, Trips, first_level + 1>(draw, cut, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v24",
    .after = "v23",
    .title = "The deciding bit first",
    .technique = "the first level's planes one after another, each for those that need it",
    .lesson = "Draw first what may decide alone.",
    .estimand = bench::hits({.source = sources::first_bit_sliced}),
    .default_threads = threads,
    .default_iters = 12'000'000,
    .loops_from = samples_for(10, v15::lanes* rng::AlternatingMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v24
