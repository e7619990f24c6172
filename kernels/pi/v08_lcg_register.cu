// Step 8: LCG and a register accumulator
// Change: as v7, but with a linear congruential generator, s = 1664525 s + 1013904223, and the hits are counted in a
//         register.
// Why:    a draw is one integer multiply-add instead of six shifts and XORs, and it runs on another pipe.
//         Predicted: twice v7, all of it from the generator, because nvcc had v7's counter in a register already.
// Cost:   12.0 instructions per sample: 2 multiply-adds, 2 conversions, 4 float operations, the test, 2 to count, and a
//         share of the loop.
// Limit:  the issue slots, closely followed by the ALU pipe (conversions, test, count). Next: the work outside the loop
//         (v9), then latency (v10) and the conversions (v11).
// Note:   a demonstration generator, as in v7: each launch walks its cycle of 2^32 draws several times over.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v8 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);

    Count local = 0;
    // exercise v8: two draws a sample, x before y, by rng::lcg(&state); to_unit_interval and is_hit make a hit of them
    for (unsigned i = 0; i < iters; i++) {
        const float x = to_unit_interval(rng::lcg(&state));
        const float y = to_unit_interval(rng::lcg(&state));
        local += is_hit(x, y) ? 1 : 0;
    }
    // end of exercise v8

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v8",
    .after = "v7",
    .title = "LCG and register",
    .technique = "LCG, register accumulator",
    .lesson = "A multiply-add is a whole generator step, and it runs beside the logic pipe, not on it.",
    .estimand = bench::hits({.source = sources::lcg}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v8
