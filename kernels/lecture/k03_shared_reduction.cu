// Kernel 3: a reduction in shared memory
// Change: as k2, but the 32 threads of a warp add their hits in shared memory, in a tree of 16, 8, 4, 2 and 1 of them, and
//         publish one count.
// Why:    a 32nd of the bytes go to memory. Predicted: k2's rate. Memory did not limit k2, and the tree adds instructions.
// Cost:   145 instructions per sample: k2's, and five additions in shared memory with a barrier of the warp after each; 1/4
//         byte a sample (the lecture's count has 4 bytes for 32 samples, the harness's has 8).
// Limit:  still the start of blocks: the latency of dependent instructions shows in the 4 that are there at a time.
//         Next: more samples for each thread (kernel 4, pi_v8_shared).
// Note:   the lecture has no barrier between the levels, and the same 16 threads add at each: its warps ran in lockstep.
//         Since Volta the threads of a warp may run apart, so that tree is a race. Here a level ends with __syncwarp(), and
//         only as many threads add as there are sums.
#include "bench/step.hpp"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace lecture::k3 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 32;  // the lecture's
constexpr unsigned max_threads = 1024;
constexpr unsigned warp_size = 32;
constexpr unsigned samples = 1u << 24;

__global__ void __launch_bounds__(max_threads) test_sample(Count* totals, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ unsigned slots[];
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);
    const float x = pi::to_unit_interval(rng::lcg(&state));
    const float y = pi::to_unit_interval(rng::lcg(&state));

    const unsigned lane = threadIdx.x % warp_size;
    unsigned* inside = slots + (threadIdx.x - lane);
    inside[lane] = pi::is_hit(x, y) ? 1 : 0;
    __syncwarp();
    for (unsigned half = warp_size / 2; half > 0; half /= 2) {
        if (lane < half) {
            inside[lane] += inside[lane + half];
        }
        __syncwarp();
    }
    if (lane == 0) {
        totals[rng::grid_thread() / warp_size] = inside[0];
    }
}

std::size_t one_slot_per_thread(unsigned block_threads) { return block_threads * sizeof(unsigned); }
std::size_t one_count_per_warp(bench::Shape shape) { return bench::total_threads(shape) / warp_size; }

cudaError_t launch(const Launch& l) {
    test_sample<<<l.shape.blocks, l.shape.threads, one_slot_per_thread(l.shape.threads), l.stream>>>(l.counts, l.seed,
                                                                                                     l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "k3",
    .after = "k2",
    .title = "Shared reduction",
    .technique = "a tree in shared memory, one count a warp",
    .lesson = "Writing less gains nothing where writing is not the limit.",
    .estimand = bench::hits({.source = pi::sources::lcg}),
    .default_blocks = samples / threads,
    .default_threads = threads,
    .default_iters = 1,
    .most_iters = 1,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(test_sample),
    .dynamic_shared_bytes = one_slot_per_thread,
    .counts = one_count_per_warp,
    .arrays = {.dram = static_cast<double>(sizeof(Count)) / warp_size},
    .phases = {{"sample", launch}},
};

}  // namespace lecture::k3
