// Step 1: one thread
// Change: none. This is the baseline: one thread of one block draws every sample with cuRAND's default generator.
// Why:    a correct loop, to compare everything else with. It is a program for a CPU, run on a GPU.
// Cost:   24.3 instructions per sample. More than half of them are two XORWOW draws.
// Limit:  latency of dependent instructions, for which the only warp waits a third of the time. It has one scheduler of an
//         H200's 528, and one lane of its 32 works. Next: more blocks.
#include "bench/step.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v1 {

using bench::Count;
using bench::Launch;

__global__ void count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    curandState_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);
    Count counter = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = curand_uniform(&rng);
        const float y = curand_uniform(&rng);
        counter += is_hit(x, y) ? 1 : 0;
    }
    *totals = counter;
}

cudaError_t launch(const Launch& l) {
    count_hits<<<1, 1, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v1",
    .title = "Naive",
    .technique = "one thread, cuRAND XORWOW",
    .lesson = "A GPU given one thread is a slow CPU: one lane of one warp, on one scheduler of hundreds.",
    .estimand = bench::hits({.source = sources::xorwow}),
    .accepted_blocks = bench::Blocks::one,
    .accepted_threads = bench::Threads::one,
    .default_blocks = 1,
    .default_threads = 1,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v1
