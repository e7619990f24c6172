// Ablation of step 19: v15's generator
// Change: the words of v15, a wide multiply-add each, instead of v18's. So it is v15 with v19's octant, without the dot
//         product: the two ideas apart.
// Why:    v15 draws 9.8 words for 32 samples and waits for them. Predicted: 9.8 / 8.3 of v15.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v19_folded_mrg {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;

__constant__ const LastCells<8> constant_cells = octant_last_cells;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<8> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::FoldedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = v15::hits_among<OctantNetwork>(draw, iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v19_folded_mrg",
    .after = "v19",
    .title = "v19, v15's generator",
    .technique = "v15's words, and v19's octant",
    .lesson = "Cheap words and few words are two ideas, and each of them is faster alone, too.",
    .estimand = bench::hits({.source = sources::octant_folded_mrg}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(8, v15::lanes* rng::FoldedMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v19_folded_mrg
