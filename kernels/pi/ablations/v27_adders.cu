// Ablation of step 27: the words alone
// Change: as v27, but the words of a node that the lanes share are counted by v26's adders, not by the tensor cores. Of the two
//         changes of step 27 only the words are left.
// Why:    these words take the ALU pipe for every shift, where v26's take it for every other one, and v26 is limited by that pipe.
//         Predicted: 55,000 samples/ns, less than v26.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v25_one_bit.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v27_adders {

using bench::Count;
using bench::Launch;
using v25::warp;

constexpr unsigned threads = 1024;

__device__ const auto tree = three_bit_tree;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::ShiftedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    unsigned* const of_warp = counts + rng::grid_thread() / warp * tree.nodes;

    const Count local = v25::count_by_halving<CountInFours, 120>(draw, tree, iters, of_warp);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, static_cast<unsigned*>(l.scratch), l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v27_adders",
    .after = "v27",
    .title = "v27, counts of v26",
    .technique = "words of two shifts in turns, counted by adders",
    .lesson = "How much of step 27 is its words.",
    .estimand = bench::hits({.source = sources::shifted_halving}),
    .default_threads = threads,
    .default_iters = 20'000'000,
    .most_iters = most_halved,
    .loops_from = halving_loops_from,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = v25::bytes_of_counts<decltype(three_bit_tree)>,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v27_adders
