// Ablation of step 13: a comparison in place of the sign bit
// Change: as v13, but the squares are added, compared and counted as in v8. A power of two scales the circle, so the hits
//         are those of v8.
// Why:    of the ideas of step 13 this leaves the unscaled words. The threshold in the multiply-add and the sign bit are
//         one idea: without the other, neither removes an instruction. Predicted: 1.5 instructions per sample more than
//         v13, which run on the ALU pipe. It is full before the issue slots are: 3,400 samples/ns on an H200.
// Cost:   8.7 instructions per sample: 2 multiply-adds, 2 conversions, 2 float operations, the test, 1.5 to count, and a
//         share of the loop.
// Limit:  the ALU pipe (conversions, test, count), and the issue slots alike.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v13_compared {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;                         // the most a block may have
constexpr unsigned unrolled = 32;                          // samples a trip
constexpr float radius_squared = 18446744073709551616.0f;  // 2^64

__device__ __forceinline__ unsigned next_hit(unsigned* state) {
    const auto x = static_cast<float>(rng::lcg(state));
    const auto y = static_cast<float>(rng::lcg(state));
    return __fmaf_rn(x, x, y * y) <= radius_squared ? 1 : 0;
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
    .name = "v13_compared",
    .after = "v13",
    .title = "v13, comparison of v8",
    .technique = "words unscaled, a comparison, a count",
    .lesson = "What a comparison costs where a sign bit is there already.",
    .estimand = bench::hits({.source = sources::lcg}),
    .default_threads = threads,
    .loops_from = 2 * unrolled - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v13_compared
