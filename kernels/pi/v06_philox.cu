// Step 6: Philox, four draws per call
// Change: as v4, but with cuRAND's counter-based Philox4_32_10, whose curand_uniform4 gives four draws at once: two
//         calls and four samples per loop step.
// Why:    no state is carried from draw to draw, and there are a quarter of the calls. Predicted: still slower than v4,
//         by a third, because four draws take ten rounds of two 32x32->64-bit multiplications, which are slow
//         instructions.
// Cost:   30.3 instructions per sample, if the remainder draws by fours too: with single draws in it, the loop grows to
//         35. Here too nvcc keeps the counter in a register for the whole loop.
// Limit:  the FMA heavy pipe, which runs Philox's wide multiplications, and after it the issue slots and the ALU pipe,
//         which runs its XORs. Next: a smaller generator.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v6 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count counter[];
    curandStatePhilox4_32_10_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);

    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters / 4; i++) {
        const float4 a = curand_uniform4(&rng);
        counter[threadIdx.x] += is_hit(a.x, a.y) ? 1 : 0;
        counter[threadIdx.x] += is_hit(a.z, a.w) ? 1 : 0;
        const float4 b = curand_uniform4(&rng);
        counter[threadIdx.x] += is_hit(b.x, b.y) ? 1 : 0;
        counter[threadIdx.x] += is_hit(b.z, b.w) ? 1 : 0;
    }
    const unsigned remainder = iters % 4;
    for (unsigned i = 0; i < remainder; i += 2) {
        const float4 a = curand_uniform4(&rng);
        counter[threadIdx.x] += is_hit(a.x, a.y) ? 1 : 0;
        counter[threadIdx.x] += i + 1 < remainder && is_hit(a.z, a.w) ? 1 : 0;
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
    .name = "v6",
    .after = "v4",
    .title = "Philox float4",
    .technique = "counter-based generator, 4 samples per loop step",
    .lesson = "A generator that is better in theory and wider per call still costs what its instructions cost.",
    .estimand = bench::hits({.source = sources::philox}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v6
