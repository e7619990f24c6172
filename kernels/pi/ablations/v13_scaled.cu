// Ablation of step 13: words scaled
// Change: as v13, but a word is scaled to a coordinate in [0, 1], as in v8, and the circle has radius 1. A power of two
//         scales, so the hits are those of v13.
// Why:    of the ideas of step 13 this leaves the sign bit: a comparison and a count that are one instruction. Predicted:
//         2 instructions per sample more than v13, 3,500 samples/ns on an H200.
// Cost:   9.2 instructions per sample: 2 multiply-adds, 2 conversions, 2 multiplications, 2 multiply-adds for the test, 1
//         shift-and-add, and a share of the loop.
// Limit:  the issue slots, as in v13.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v13_scaled {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned unrolled = 32;   // samples a trip

__device__ __forceinline__ unsigned next_hit(unsigned* state) {
    const float x = to_unit_interval(rng::lcg(state));
    const float y = to_unit_interval(rng::lcg(state));
    const float distance = __fmaf_rn(x, x, __fmaf_rn(y, y, -1.0f));
    return __float_as_uint(distance) >> 31;  // the sign bit: 1 inside
}

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);

    Count local = 0;
    for (unsigned i = 0; i < iters / unrolled; i++) {
        unsigned hits = 0;
#pragma unroll
        for (unsigned j = 0; j < unrolled; j++) {
            hits += next_hit(&state);
        }
        local += hits;
    }
    for (unsigned i = 0; i < iters % unrolled; i++) {
        local += next_hit(&state);
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v13_scaled",
    .after = "v13",
    .title = "v13, coordinates of v8",
    .technique = "words scaled, threshold inside the FMA, sign bits summed",
    .lesson = "What a multiplication that only scales costs.",
    .estimand = bench::hits({.source = sources::lcg_folded}),
    .default_threads = threads,
    .loops_from = 2 * unrolled - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v13_scaled
