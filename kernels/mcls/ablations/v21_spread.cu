// Ablation of step 21: spread starts
// Change: as v21, but histories that start at a time start in different strata, as those of v16.
// Why:    this leaves the word that counts and moves. Starts then come from L2 in part: the words leave 28 kB to L1. Predicted
//         on an H200: 3,100 transitions/ns on lap2d.
// Cost:   as v21, and 4 instructions for each history.
// Limit:  as v21, and starts from L2; not profiled.
#include "bench/step.hpp"
#include "kernels/mcls/launches/counted_paths.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/tables/path_tables.hpp"
#include "kernels/mcls/v21_counting_moves.cuh"

namespace mcls::v21_spread {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = QuarterPaths;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, bench::Count* cells, Counts counts) {
    walk_counting_moves(method, keys, launch, histories, Order::spread, cells, counts);
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, PathWords::bytes_of_block(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories, cells_of<Method>(l),
        Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 200'000'000,
    .instead = "v12",
    .for_steps = "v14",
    .bits_of_first = 24,
    .histories_of_block = histories_of_paths,
    .shared_bytes = PathWords::bytes_of_block,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v21_spread",
    .after = "v21",
    .title = "v21, spread starts",
    .technique = "histories of different strata start at a time",
    .lesson = "What starts cost that come from far.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counted_paths}, {"walk", launch}, {"add", add_counted_paths}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v21_spread
