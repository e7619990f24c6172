// Step 4: warp reduction
// Change: as v3, but the threads of a warp add their counters by shuffles. One slot of shared memory holds each warp's
//         total, and thread 0 adds at most 32 of them.
// Why:    the sum takes 5 shuffles and 32 additions instead of 1023. Predicted: almost no gain at 100,000 samples per
//         thread, where the sum is a ten-thousandth of the work.
// Cost:   24.6 instructions per sample, as in v3. Here too nvcc keeps the counter in a register for the whole loop.
// Limit:  the ALU pipe, as in v3. Next: what not to do (v5), then other generators (v6, v7, v8).
#include "bench/step.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v4 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned warp_size = 32;
constexpr unsigned max_warps_per_block = threads / warp_size;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count counter[];
    curandState_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);

    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = curand_uniform(&rng);
        const float y = curand_uniform(&rng);
        counter[threadIdx.x] += is_hit(x, y) ? 1 : 0;
    }

    // exercise v4: __shfl_down_sync brings a lane's counter to a lower lane: five rounds of 16, 8, 4, 2 and 1 lanes
    Count mine = counter[threadIdx.x];
    for (unsigned offset = warp_size / 2; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(0xffffffffu, mine, offset);
    }
    __shared__ Count warp_totals[max_warps_per_block];
    if (threadIdx.x % warp_size == 0) {
        warp_totals[threadIdx.x / warp_size] = mine;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        Count total = 0;
        for (unsigned warp = 0; warp < blockDim.x / warp_size; warp++) {
            total += warp_totals[warp];
        }
        totals[blockIdx.x] = total;
    }
    // end of exercise v4
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, bench::one_count_per_thread(l.shape.threads), l.stream>>>(
        l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v4",
    .after = "v3",
    .title = "Warp reduction",
    .technique = "warp shuffles, one slot per warp",
    .lesson = "A better reduction gains nothing where the reduction was never the cost: measure first.",
    .estimand = bench::hits({.source = sources::xorwow}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v4
