// Ablation of step 27: one function of seven bits
// Change: as v27, but a bit of a sample is a function of up to seven of the fair bits that name its place in the octant.
// Why:    it shows where the ladder would end. The tree draws 2.84 bits a sample where v27's draws 3.18, and a function of all
//         bits would draw 2: a coin that shows pi / 4. Predicted: 84,000 samples/ns, 1.12 times v27.
// Note:   it is an ablation, and no row of the table. Every sample still draws fair bits of its own, and none is drawn by area.
//         But a bit here is none that a function of three bits of the sample's own coordinates decides, which one LOP3 would
//         for a sample. v26 draws the line there.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/shared/tensor_counts.cuh"
#include "kernels/pi/v25_one_bit.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v27_seven_bits {

using bench::Count;
using bench::Launch;
using v25::warp;

constexpr unsigned threads = 1024;

__device__ const auto tree = seven_bit_tree;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::ShiftedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    unsigned* const of_warp = counts + rng::grid_thread() / warp * tree.nodes;

    const Count local = v25::count_by_halving<OnesOfWarp, 120>(draw, tree, iters, of_warp);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, static_cast<unsigned*>(l.scratch), l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v27_seven_bits",
    .after = "v27",
    .title = "v27, a function of seven bits",
    .technique = "a tree of bits that seven bits of the place decide: no row of the ladder",
    .lesson = "Where the ladder would end: at a coin that shows pi / 4.",
    .estimand = bench::hits({.source = sources::seven_bit_halving}),
    .default_threads = threads,
    .default_iters = 20'000'000,
    .most_iters = most_halved,
    .loops_from = halving_loops_from,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = v25::bytes_of_counts<decltype(seven_bit_tree)>,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v27_seven_bits
