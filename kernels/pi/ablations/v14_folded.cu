// Candidate for step 14: v15's generator
// Change: as v14, but each word takes a wide multiply-add and an XOR. Predicted: 2,700.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v14_folded {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned unrolled = 11;   // samples a trip: whole rounds of the generator's 11 words

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::FoldedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

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
    .name = "v14_folded",
    .after = "v14",
    .title = "v14, v15's generator",
    .technique = "v15's generator: 64-bit words, halves folded",
    .lesson = "No bit is weaker than another. That is what bit-slicing needs; whole words do not pass every test.",
    .estimand = bench::hits({.source = sources::folded_mrg}),
    .default_threads = threads,
    .loops_from = 2 * unrolled - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v14_folded
