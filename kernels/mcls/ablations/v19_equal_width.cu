// Ablation of step 19: rows of equal width
// Change: as v19, but all rows have as many slots as the longest, as in v12.
// Why:    of the ideas of step 19 this leaves a slot with its factor, one load in place of two, and one block of 1,024
//         threads. Predicted on an H200: 120 transitions/ns on sp1, where the rows visited most are 0.6 MB again and come
//         from L2; on lap2d, whose rows have four entries each, the rate of v19.
// Cost:   as v19.
// Limit:  sp1: random sectors of L2; lap2d: as v19.
#include "bench/step.hpp"
#include "kernels/mcls/launches/short_row_walks.cuh"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"

namespace mcls::v19_equal_width {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = Adjoint<ShortRows>;

__global__ void __launch_bounds__(threads, 1)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, Counts counts) {
    walk_short_rows(method, keys, launch, histories, counts);
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, bytes_of_place_tallies(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories, Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .widths = Widths::equal,
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
    .bits_of_first = 27,
    .histories_of_block = histories_of_share,
    .shared_bytes = bytes_of_place_tallies,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v19_equal_width",
    .after = "v19",
    .title = "v19, rows of equal width",
    .technique = "all rows as wide as the longest, the factor in the slot",
    .lesson = "What the width of the rows is worth, and what is left to the slot.",
    .estimand = estimand_of(design),
    .default_blocks_per_sm = 1,
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v19_equal_width
