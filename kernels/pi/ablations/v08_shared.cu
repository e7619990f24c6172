// Ablation of step 8: its generator with the counter of v7
// Change: as v8, but the hits are counted in shared memory, written as in v7. Of the two changes of step 8 only the
//         generator is left.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v8_shared {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count counter[];
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);

    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = to_unit_interval(rng::lcg(&state));
        const float y = to_unit_interval(rng::lcg(&state));
        counter[threadIdx.x] += is_hit(x, y) ? 1 : 0;
    }

    store_block_sum(counter[threadIdx.x], &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, bench::one_count_per_thread(l.shape.threads), l.stream>>>(
        l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v8_shared",
    .after = "v8",
    .title = "v8, counter of v7",
    .technique = "LCG, counter written as in v7",
    .lesson = "How much of step 8 is the generator, and how much the register.",
    .estimand = bench::hits({.source = sources::lcg}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v8_shared
