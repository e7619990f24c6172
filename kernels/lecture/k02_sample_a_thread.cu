// Kernel 2: a sample a thread
// Change: as k1, but a block has 32 threads, each with its sample and its count.
// Why:    the same number of blocks tests 32 times as many samples, one in each lane of the warp. Predicted: 30 to 100
//         samples/ns, 32 times k1. With 256 threads a block up to 560, which is what the instructions allow.
// Cost:   113 instructions per sample, 5 more than k1; 1/32 of a block; a count of 8 bytes (the lecture's flag has 4).
// Limit:  still the start of blocks: the latency of dependent instructions shows in the 3 that are there at a time. The
//         lecture blames memory. But 8 bytes of 53 samples/ns are 0.42 TB/s, 9 % of what an H200's memory takes.
//         Next: one count for the 32 threads (k3), then more samples for each thread (kernel 4, pi_v8_shared).
#include "bench/step.hpp"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace lecture::k2 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 32;  // the lecture's
constexpr unsigned max_threads = 1024;
constexpr unsigned samples = 1u << 24;

__global__ void __launch_bounds__(max_threads) test_sample(Count* flags, std::uint64_t seed, std::uint64_t launch) {
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);
    const float x = pi::to_unit_interval(rng::lcg(&state));
    const float y = pi::to_unit_interval(rng::lcg(&state));
    flags[rng::grid_thread()] = pi::is_hit(x, y) ? 1 : 0;
}

cudaError_t launch(const Launch& l) {
    test_sample<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "k2",
    .after = "k1",
    .title = "A sample a thread",
    .technique = "32 threads a block, one sample a thread",
    .lesson = "A full warp costs as much to start as one thread: 31 lanes are free.",
    .estimand = bench::hits({.source = pi::sources::lcg}),
    .default_blocks = samples / threads,
    .default_threads = threads,
    .default_iters = 1,
    .most_iters = 1,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(test_sample),
    .counts = bench::total_threads,
    .arrays = {.dram = sizeof(Count)},
    .phases = {{"sample", launch}},
};

}  // namespace lecture::k2
