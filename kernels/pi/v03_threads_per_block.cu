// Step 3: threads per block
// Change: as v2, but with 1024 threads per block, each with a 64-bit counter in shared memory; thread 0 adds them one
//         by one.
// Why:    every lane of every warp samples: 32 times v2's rate for each warp issued. Predicted: 32 times.
// Cost:   24.6 instructions per sample, as in v1, and the counter. The source says that it uses shared memory for every
//         sample. But nvcc keeps a plainly written counter in a register for the whole loop and stores it once, at the
//         end.
// Limit:  the ALU pipe, which runs XORWOW's shifts and XORs. Next: a reduction tree, to see what it costs that 1023
//         threads wait for thread 0.
#include "bench/step.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v3 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count counter[];
    curandState_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);

    // exercise v3: as in v2, but each thread counts in counter[threadIdx.x]; thread 0 adds when all are done (__syncthreads)
    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = curand_uniform(&rng);
        const float y = curand_uniform(&rng);
        counter[threadIdx.x] += is_hit(x, y) ? 1 : 0;
    }

    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned i = 1; i < blockDim.x; i++) {
            counter[0] += counter[i];
        }
        totals[blockIdx.x] = counter[0];
    }
    // end of exercise v3
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, bench::one_count_per_thread(l.shape.threads), l.stream>>>(
        l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v3",
    .after = "v2",
    .title = "Threads per block",
    .technique = "1024 threads per block, shared counters, sequential sum",
    .lesson = "An instruction costs the same for one lane as for 32: give every lane work.",
    .estimand = bench::hits({.source = sources::xorwow}),
    .accepted_threads = bench::Threads::any,
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v3
