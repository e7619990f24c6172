// Ablation of step 26: three dot products in four words
// Change: as v26, but of four words three take a dot product and one a shift (ThreeDotsMrg), where v26's take them in turns. Shared
//         words are counted by adders one deep, as v22's, not two deep.
// Why:    v26 is limited by the ALU pipe. A dot product takes the pipe of the multiply-adds, which is idle for two fifths of the time,
//         in place of a shift on the ALU pipe, and the second level of adders takes one LOP3 for two words, for which the
//         population counts have room. Predicted: 66,000 samples/ns, 1.05 times v26.
// Note:   no test of words has read these, so no step draws them.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v25_one_bit.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v26_dots {

using bench::Count;
using bench::Launch;
using v25::warp;

constexpr unsigned threads = 512;

/// Of words in fours, each pair of them as v22 does.
class PairsOfFour : public CountInPairs {
 public:
    __device__ __forceinline__ void add(unsigned a, unsigned b, unsigned c, unsigned d) {
        CountInPairs::add(a, b);
        CountInPairs::add(c, d);
    }
};

__device__ const auto tree = three_bit_tree;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::ThreeDotsMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    unsigned* const of_warp = counts + rng::grid_thread() / warp * tree.nodes;

    const Count local = v25::count_by_halving<PairsOfFour, 40>(draw, tree, iters, of_warp);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, static_cast<unsigned*>(l.scratch), l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v26_dots",
    .after = "v26",
    .title = "v26, three dot products in four words",
    .technique = "words of three dot products and a shift in turns, adders one deep",
    .lesson = "Work that moves to a pipe with room.",
    .estimand = bench::hits({.source = sources::three_dots_halving}),
    .default_threads = threads,
    .default_iters = 20'000'000,
    .most_iters = most_halved,
    .loops_from = halving_loops_from,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = v25::bytes_of_counts<decltype(three_bit_tree)>,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v26_dots
