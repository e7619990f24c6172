// Step 25: one bit at a time
// Change: the levels become a tree. A node is a set of points of the octant and has a count of samples. Each of them draws one
//         fair bit of its own place, which a function of two bits of its place in the octant decides. Population counts say how many go
//         to either half of the node. Halves wholly inside or outside are settled, and the others are nodes. A warp shares
//         its samples and its counts, and walks the nodes from layer to layer. From layer 11 on each lane has a node of its
//         own. What is left after 20 bits is tested in its cell. The words are v24's.
// Why:    v24 still draws five planes and more at each level after the first, for every sample that the level before left.
//         A bit that settles half of a node spares these samples all others. v24 draws 5.6 bits a sample, the tree 3.42. Which
//         sample is which is not needed: those of a node are alike, so a count says all. No bit is saved by area: every sample
//         draws its own. Predicted: a word and its count take 5 cycles of a scheduler, so 57,000 samples/ns, 1.5 times v24.
// Cost:   0.452 instructions per sample, where 0.43 was predicted.
// Limit:  the ALU pipe, then the issue slots. Predicted was XU, where the adders now take half of its population counts away.
// Note:   hits of a thread no longer exist. Hits of a warp do: its lanes' words and the order of its nodes are fixed, so the
//         replay on the host is of a warp.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v25_one_bit.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v25 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

__device__ const auto tree = two_bit_tree;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    unsigned* const of_warp = counts + rng::grid_thread() / warp * tree.nodes;

    const Count local = count_by_halving<CountInFours, 40>(draw, tree, iters, of_warp);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, static_cast<unsigned*>(l.scratch), l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v25",
    .after = "v24",
    .title = "One bit at a time",
    .technique = "a warp's samples are counts, halved by population counts of fair bits",
    .lesson = "Count who goes where, and forget who.",
    .estimand = bench::hits({.source = sources::two_bit_halving}),
    .default_threads = threads,
    .default_iters = 20'000'000,
    .most_iters = most_halved,
    .loops_from = halving_loops_from,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = bytes_of_counts<decltype(two_bit_tree)>,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v25
