// Candidate for step 14: Philox4x32-7
// Change: as v14, but a counter instead of a state. 4 words take 14 wide multiplications. Predicted: a fifth of v14.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v14_philox7 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned unrolled = 4;    // samples a trip: two calls of the generator

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::Philox7Draws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Count local = 0;
    for (unsigned i = 0; i < iters / unrolled; i++) {
        unsigned hits = 0;
#pragma unroll
        for (unsigned j = 0; j < unrolled; j++) {
            const unsigned x = draw();
            const unsigned y = draw();
            hits += folded_hit(x, y);
        }
        local += hits;
    }
    for (unsigned i = 0; i < iters % unrolled; i++) {
        const unsigned x = draw();
        const unsigned y = draw();
        local += folded_hit(x, y);
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v14_philox7",
    .after = "v14",
    .title = "v14, Philox4x32-7",
    .technique = "a counter-based generator of 7 rounds",
    .lesson = "Sound in every bit, and no state to keep: what simulations want; here it costs most of the speed.",
    .estimand = bench::hits({.source = sources::philox7}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v14_philox7
