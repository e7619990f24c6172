// Step 2: parallel blocks
// Change: as v1, but with as many blocks as the occupancy API says the GPU holds at once, still of one thread each.
//         Each block publishes its own count, and the host adds them.
// Why:    blocks run on all multiprocessors, and the warps of one multiprocessor hide each other's latency. Predicted:
//         near the number of resident blocks, as long as the schedulers have free issue slots.
// Cost:   24.4 instructions per sample, as in v1. A block of one thread still issues whole warps: 31 of 32 lanes do
//         nothing.
// Limit:  the ALU pipe, which works for one lane of 32. Next: full warps.
#include "bench/step.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v2 {

using bench::Count;
using bench::Launch;

__global__ void count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    // exercise v2: as in v1 (curand_uniform, is_hit), with a stream a thread, rng::subsequence(launch), and a total a block
    curandState_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);
    Count counter = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = curand_uniform(&rng);
        const float y = curand_uniform(&rng);
        counter += is_hit(x, y) ? 1 : 0;
    }
    totals[blockIdx.x] = counter;
    // end of exercise v2
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, 1, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v2",
    .after = "v1",
    .title = "Parallel blocks",
    .technique = "one thread per block, grid from the occupancy API",
    .lesson = "Blocks spread over all multiprocessors, but one thread per block leaves 31 of 32 lanes idle.",
    .estimand = bench::hits({.source = sources::xorwow}),
    .accepted_threads = bench::Threads::one,
    .default_threads = 1,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v2
