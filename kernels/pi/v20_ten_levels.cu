// Step 20: two levels more
// Change: levels 9 and 10. All else is v19.
// Why:    v19 leaves 1 sample in 128 to the last test, which takes some 20 instructions for one sample where a level takes 60
//         for 32. A further level halves what is left. Its network need not be larger: level 9 takes 20 lookups where level 8
//         takes 26, as there are more ways to order its slots. Predicted: 29 instructions for 32 samples instead of 31, and
//         8.1 words instead of 8.3, so 5 % more than v19.
// Cost:   0.90 instructions per sample.
// Limit:  the FMA heavy pipe still, for words take 16 of the 29 instructions. An eleventh level would save a part of
//         what the last test still takes, which is 1 instruction in 30.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v20 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

__constant__ const LastCells<10> constant_cells = octant_last_cells_10;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<10> cells;
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
    .name = "v20",
    .after = "v19",
    .title = "Two levels more",
    .technique = "levels 9 and 10, so that 1 sample in 512 is tested alone",
    .lesson = "Where a rare slow path still shows, put a fast filter before it.",
    .estimand = bench::hits({.source = sources::deep_octant_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(10, v15::lanes* rng::DotMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v20
