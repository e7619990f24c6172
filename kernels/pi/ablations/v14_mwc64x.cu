// Candidate for step 14: MWC64X
// Change: as v14, but two words of state. Each word takes a wide multiplication, moves and an XOR. Predicted:
//         half of v14.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v14_mwc64x {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned unrolled = 32;   // samples a trip: as v13

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::Mwc64xDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

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
    .name = "v14_mwc64x",
    .after = "v14",
    .title = "v14, MWC64X",
    .technique = "a multiply-with-carry generator of 64 bits",
    .lesson = "A wide multiplication takes as long as three plain ones, and its carry has to be moved into place.",
    .estimand = bench::hits({.source = sources::mwc64x}),
    .default_threads = threads,
    .loops_from = 2 * unrolled - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v14_mwc64x
