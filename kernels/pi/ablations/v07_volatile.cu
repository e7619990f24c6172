// Ablation of step 7: the counter forced to memory
// Change: as v7, but the counters are accessed through a volatile pointer, so that every sample reads and writes shared
//         memory, as the source text of v7 suggests.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"
#include "kernels/random/xorshift32.cuh"

namespace pi::v7_volatile {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count shared_counter[];
    volatile Count* counter = shared_counter;
    unsigned state = rng::xorshift32_state(rng::stream_seed(seed, launch, rng::grid_thread(), 0));

    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = to_unit_interval(rng::xorshift32(&state));
        const float y = to_unit_interval(rng::xorshift32(&state));
        counter[threadIdx.x] = counter[threadIdx.x] + (is_hit(x, y) ? 1 : 0);
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
    .name = "v7_volatile",
    .after = "v7",
    .title = "v7, counter forced to memory",
    .technique = "shared counters through a volatile pointer",
    .lesson = "What a shared-memory read and write at every sample costs.",
    .estimand = bench::hits({.source = sources::xorshift32}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v7_volatile
