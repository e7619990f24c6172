// Ablation of step 3: the counter forced to memory
// Change: as v3, but the counters are accessed through a volatile pointer, so that every sample reads and writes shared
//         memory, as the source text of v3 suggests.
#include "bench/step.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v3_volatile {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count shared_counter[];
    volatile Count* counter = shared_counter;
    curandState_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);

    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = curand_uniform(&rng);
        const float y = curand_uniform(&rng);
        counter[threadIdx.x] = counter[threadIdx.x] + (is_hit(x, y) ? 1 : 0);
    }

    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned i = 1; i < blockDim.x; i++) {
            counter[0] = counter[0] + counter[i];
        }
        totals[blockIdx.x] = counter[0];
    }
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, bench::one_count_per_thread(l.shape.threads), l.stream>>>(
        l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v3_volatile",
    .after = "v3",
    .title = "v3, counter forced to memory",
    .technique = "shared counters through a volatile pointer",
    .lesson = "What a shared-memory read and write at every sample costs.",
    .estimand = bench::hits({.source = sources::xorwow}),
    .accepted_threads = bench::Threads::any,
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v3_volatile
