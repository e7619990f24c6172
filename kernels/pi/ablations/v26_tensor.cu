// Ablation of step 26: the counts of step 27 alone
// Change: as v26, but the words of a node that the lanes share are counted by the tensor cores, as v27's, not by adders. Of the
//         two changes of step 27 only the counts are left.
// Why:    without the adders the ALU pipe has but a shift for two words. But every other word still takes a dot product on the
//         pipe of the multiply-adds, and that pipe then limits. Predicted: 61,000 samples/ns, 0.97 times v26.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/shared/tensor_counts.cuh"
#include "kernels/pi/v25_one_bit.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v26_tensor {

using bench::Count;
using bench::Launch;
using v25::warp;

constexpr unsigned threads = 512;

__device__ const auto tree = three_bit_tree;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    unsigned* const of_warp = counts + rng::grid_thread() / warp * tree.nodes;

    const Count local = v25::count_by_halving<OnesOfWarp, 40>(draw, tree, iters, of_warp);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, static_cast<unsigned*>(l.scratch), l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v26_tensor",
    .after = "v26",
    .title = "v26, counts of v27",
    .technique = "words of a dot product or a shift in turns, counted by products of bit matrices",
    .lesson = "How much of step 27 is its counts.",
    .estimand = bench::hits({.source = sources::three_bit_halving}),
    .default_threads = threads,
    .default_iters = 20'000'000,
    .most_iters = most_halved,
    .loops_from = halving_loops_from,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = v25::bytes_of_counts<decltype(three_bit_tree)>,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v26_tensor
