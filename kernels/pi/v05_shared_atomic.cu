// Step 5: one shared counter, a deliberate negative example
// Change: as v4, but all threads of a block add every sample to one 64-bit counter in shared memory with atomicAdd.
// Why:    to see the cost of contention. Predicted: far slower than v4; 1024 threads queue for one address at every
//         sample.
// Cost:   1,470 instructions per sample: v4's, and some 160 attempts of 9 at the atomic. A 64-bit atomic in shared
//         memory is a loop of load, add and compare-and-swap. It repeats whenever another thread of the block came
//         between.
// Limit:  shared memory, which the failed attempts of that queue fill. Atomics are for rare updates. Next: v4's counters
//         again, with another generator.
#include "bench/step.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v5 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ Count shared_counter;
    if (threadIdx.x == 0) {
        shared_counter = 0;
    }
    __syncthreads();
    curandState_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);

    for (unsigned i = 0; i < iters; i++) {
        const float x = curand_uniform(&rng);
        const float y = curand_uniform(&rng);
        atomicAdd(&shared_counter, is_hit(x, y) ? Count{1} : Count{0});
    }

    __syncthreads();
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = shared_counter;
    }
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v5",
    .after = "v4",
    .title = "Shared atomic",
    .technique = "one shared counter, atomicAdd on every sample",
    .lesson = "Atomics on one address are carried out one after another: a negative example, slow on purpose.",
    .estimand = bench::hits({.source = sources::xorwow}),
    .accepted_threads = bench::Threads::any,
    .default_threads = threads,
    .default_iters = 2'000,  // 200 times slower than v4, so fewer samples
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v5
