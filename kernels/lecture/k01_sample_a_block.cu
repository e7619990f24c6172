// Kernel 1: a sample a block
// Change: none. This is the baseline: each block has one thread, draws one sample and publishes one count. The host adds
//         the counts.
// Why:    the shortest way from a loop to a kernel: the body of the loop is the kernel, and its index is the block.
//         Predicted: 1 to 3 samples/ns, the rate at which the GPU starts blocks. The lecture blames the launch, but there
//         is only one launch for all samples.
// Cost:   108 instructions per sample, most of them of the hash that seeds two draws of an LCG; a block, with one of the 32
//         lanes of its warp in use; a count of 8 bytes (the lecture's flag has 4).
// Limit:  latency of dependent instructions: blocks start too slowly for more than 3 to be on a multiprocessor at a time.
//         Next: a block that fills its warp (k2).
// Note:   the lecture stopped at 65,535 blocks, the largest grid of code for compute capability 2. Now it is 2^31 - 1.
#include "bench/step.hpp"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"

namespace lecture::k1 {

using bench::Count;
using bench::Launch;

constexpr unsigned blocks = 1u << 24;  // as many as samples

__global__ void test_sample(Count* flags, std::uint64_t seed, std::uint64_t launch) {
    unsigned state = rng::stream_seed(seed, launch, blockIdx.x, 0);
    const float x = pi::to_unit_interval(rng::lcg(&state));
    const float y = pi::to_unit_interval(rng::lcg(&state));
    flags[blockIdx.x] = pi::is_hit(x, y) ? 1 : 0;
}

cudaError_t launch(const Launch& l) {
    test_sample<<<l.shape.blocks, 1, 0, l.stream>>>(l.counts, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "k1",
    .title = "A sample a block",
    .technique = "one thread a block, one sample a thread",
    .lesson = "A block is a costly unit: the GPU starts a few per nanosecond, whatever they do.",
    .estimand = bench::hits({.source = pi::sources::lcg}),
    .accepted_threads = bench::Threads::one,
    .default_blocks = blocks,
    .default_threads = 1,
    .default_iters = 1,
    .most_iters = 1,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(test_sample),
    .arrays = {.dram = sizeof(Count)},
    .phases = {{"sample", launch}},
};

}  // namespace lecture::k1
