// Ablation of step 8: the loop of v13
// Change: as v8, but with the loop of v13: 32 samples per trip, whose hits are added up in 32 bits.
// Why:    v13 changes the loop too. nvcc unrolls that of v8 by 4, and adds each pair of hits in 64 bits. This is what the
//         loop alone gains. Predicted: 10.7 / 12 of the instructions of v8, 2,940 samples/ns on an H200.
// Cost:   10.7 instructions per sample: 2 multiply-adds, 2 conversions, 4 float operations, the test, 1.5 to count, and a
//         share of the loop.
// Limit:  the issue slots, as in v8.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v8_unrolled {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned unrolled = 32;   // samples a trip

__device__ __forceinline__ unsigned next_hit(unsigned* state) {
    const float x = to_unit_interval(rng::lcg(state));
    const float y = to_unit_interval(rng::lcg(state));
    return is_hit(x, y) ? 1 : 0;
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
    .name = "v8_unrolled",
    .after = "v8",
    .title = "v8, loop of v13",
    .technique = "32 samples per trip, hits added up in 32 bits",
    .lesson = "How much of step 13 is the loop around its samples.",
    .estimand = bench::hits({.source = sources::lcg}),
    .default_threads = threads,
    .loops_from = 2 * unrolled - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v8_unrolled
