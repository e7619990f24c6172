// Step 7: a generator in the kernel, xorshift32
// Change: as v6, but with Marsaglia's xorshift32 (x ^= x << 13; x ^= x >> 17; x ^= x << 5) instead of the library. Its
//         state is one register. The counter stays in shared memory.
// Why:    a draw is three shifts and three XORs. Predicted: about twice v6, and a tenth over v4, whose loop is
//         longer by two additions.
// Cost:   21.8 instructions per sample. Here too nvcc keeps the counter in a register for the whole loop.
// Limit:  the ALU pipe, which runs XORs, right shifts, conversions, test and count at half the issue rate (the
//         left shifts go to the multiply pipe). Next: a generator that is one multiply-add.
// Note:   a demonstration generator. Each launch walks its cycle of 2^32 - 1 draws several times over, and it fails
//         test batteries. FPGA designs use it because it is cheap, so this is the step to compare with them.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"
#include "kernels/random/xorshift32.cuh"

namespace pi::v7 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count counter[];
    unsigned state = rng::xorshift32_state(rng::stream_seed(seed, launch, rng::grid_thread(), 0));

    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = to_unit_interval(rng::xorshift32(&state));
        const float y = to_unit_interval(rng::xorshift32(&state));
        counter[threadIdx.x] += is_hit(x, y) ? 1 : 0;
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
    .name = "v7",
    .after = "v6",
    .title = "xorshift32",
    .technique = "own generator in one register, no library",
    .lesson = "The generator is most of the work: a smaller one is a faster kernel.",
    .estimand = bench::hits({.source = sources::xorshift32}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v7
