// Step 13: the fewest instructions
// Change: as v8, but the words are used unscaled, as whole numbers in a quarter circle of radius 2^32. The threshold
//         goes into the inner multiply-add, and the sign bits of the results are summed. 32 samples per trip. Each alone:
//         ablations/v08_unrolled.cu, v13_scaled.cu and v13_compared.cu.
// Why:    v8 has no idle pipe worth filling, only too many instructions. 2 multiply-adds for the words, 2 conversions,
//         2 multiply-adds for the test and 1 shift-and-add of a sign bit are 7 instead of 12. Predicted: 12 / 7 of v8,
//         4,400 samples/ns on an H200.
// Cost:   7.2 instructions per sample, with the loop around them.
// Limit:  the issue slots. One sample at a time, each word, each conversion and each operation of the test needs an
//         instruction. Next: a sound generator at the same price; then 32 samples at a time.
// Note:   the hit rule is the change: folded_distance(x, y) = fma(x, x, fma(y, y, -2^64)) < 0. A word that is rounded
//         to a float stands for itself and its neighbours, so nothing is off by half a step (4P - pi of independent
//         words is 4e-11), and x on the circle is not a hit.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v13 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned unrolled = 32;   // samples a trip: the loop costs an instruction in ten samples
constexpr float radius_squared = 18446744073709551616.0f;  // 2^64

__device__ __forceinline__ unsigned hit(unsigned x, unsigned y) {
    // exercise v13: fma(x, x, fma(y, y, -2^64)) is negative for a hit, and a negative float has a sign bit of 1
    const float fx = static_cast<float>(x);
    const float fy = static_cast<float>(y);
    const float distance = __fmaf_rn(fx, fx, __fmaf_rn(fy, fy, -radius_squared));
    return __float_as_uint(distance) >> 31;  // the sign bit: 1 inside
    // end of exercise v13
}

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);

    Count local = 0;
    for (unsigned i = 0; i < iters / unrolled; i++) {
        unsigned hits = 0;
#pragma unroll
        for (unsigned j = 0; j < unrolled; j++) {
            const unsigned x = rng::lcg(&state);
            const unsigned y = rng::lcg(&state);
            hits += hit(x, y);
        }
        local += hits;
    }
    for (unsigned i = 0; i < iters % unrolled; i++) {
        const unsigned x = rng::lcg(&state);
        const unsigned y = rng::lcg(&state);
        local += hit(x, y);
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v13",
    .after = "v8",
    .title = "Fewest instructions",
    .technique = "words unscaled, threshold inside the FMA, sign bits summed",
    .lesson = "Where the issue slots are full, only fewer instructions help.",
    .estimand = bench::hits({.source = sources::lcg_folded}),
    .default_threads = threads,
    .loops_from = 2 * unrolled - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v13
