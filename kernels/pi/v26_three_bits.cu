// Step 26: one function of three bits
// Change: the tree. A bit of a sample is a function of up to three of the fair bits that name its place in the octant. All else is v25.
// Why:    of the eight parts that three bits of the place make of a node, those wholly inside get numbers of one or two
//         bits where they are two or four, as v15's slots do not need to be neighbours either, and those outside likewise.
//         So a bit settles more samples: the tree draws 3.18 bits a sample where v25 draws 3.42. Predicted: 62,000
//         samples/ns, 1.07 times v25.
// Cost:   0.423 instructions per sample, where 0.40 was predicted.
// Limit:  the ALU pipe, then the issue slots, as in v25.
// Note:   it is the last step of its kind. A function of seven bits would draw 2.84 bits a sample, and one of all bits 2: a
//         coin that shows pi / 4, and no sample any more. The line is drawn at three, which one LOP3 would decide for a sample.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v25_one_bit.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v26 {

using bench::Count;
using bench::Launch;
using v25::warp;

constexpr unsigned threads = 512;

__device__ const auto tree = three_bit_tree;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    unsigned* const of_warp = counts + rng::grid_thread() / warp * tree.nodes;

    const Count local = v25::count_by_halving<CountInFours, 40>(draw, tree, iters, of_warp);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, static_cast<unsigned*>(l.scratch), l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v26",
    .after = "v25",
    .title = "One function of three bits",
    .technique = "a tree of bits that three bits of the coordinates decide",
    .lesson = "Ask first what decides most.",
    .estimand = bench::hits({.source = sources::three_bit_halving}),
    .default_threads = threads,
    .default_iters = 20'000'000,
    .most_iters = most_halved,
    .loops_from = halving_loops_from,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = v25::bytes_of_counts<decltype(three_bit_tree)>,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v26
