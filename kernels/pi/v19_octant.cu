// Step 19: fold once more
// Change: the square is folded along its diagonal, as the quarter circle is a circle folded twice: the arc treats (x, y) and
//         (y, x) alike. A sample no longer says which of the two it is. Its bits choose a piece, two cells at mirrored
//         places. All else is v18.
// Why:    a plane less at each level, 8.3 words for 32 samples instead of 9.8, and smaller networks: 3 lookups instead of 9
//         at the first level, where all samples are. The pieces on the diagonal count two cells as one, so the cut pieces
//         are a power of two without padding. Predicted: 31 instructions for 32 samples instead of 42, so 4 / 3 of v18.
// Cost:   0.97 instructions per sample.
// Limit:  the FMA heavy pipe again, as the words are what remains.
// Note:   exact in distribution, if words are independent: of two mirrored points either both are inside or both
//         outside, so the fold changes no probability. The samples that level 8 leaves undecided are tested in a cell of the whole square, because the
//         rounding of the test treats x and y differently.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v19 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

__constant__ const LastCells<8> constant_cells = octant_last_cells;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<8> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::DotMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = v15::hits_among<OctantNetwork>(draw, iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v19",
    .after = "v18",
    .title = "Folded once more",
    .technique = "an eighth of the circle: a sample and its mirror image are the same piece",
    .lesson = "Use the symmetry of a problem: mirrored samples need not be told apart.",
    .estimand = bench::hits({.source = sources::octant_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(8, v15::lanes* rng::DotMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v19
