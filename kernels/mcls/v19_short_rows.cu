// Step 19: short rows first
// Change: as v12, but each row has as many slots as it needs, and short rows come first. A slot has all of a transition, the
//         factor too, in 16 bytes.
// Why:    histories of sp1 spend nine tenths of their visits in the 544 rows of its last group, which have 4 entries. In v12
//         these have 64 slots like the longest row, 0.6 MB that come from L2. Here they are 35 kB side by side, in L1. And one
//         load makes a transition, instead of two that wait for each other. Predicted on an H200: 300 transitions/ns on sp1.
// Cost:   70 instructions per transition, 16 of them for the word; one load of 16 bytes, one ATOMS.
// Limit:  lap2d: the issue slots; sp1: the issue slots, beside the latency of memory, as in most steps of a warp one of its 32
//         lanes waits for L2.
// Note:   one block per multiprocessor: the tallies of a second one would take L1's room (ablations/v19_two_blocks.cu). At
//         most 32,767 states.
#include "bench/step.hpp"
#include "kernels/mcls/launches/short_row_walks.cuh"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"

namespace mcls::v19 {

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
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
    .bits_of_first = 27,
    .histories_of_block = histories_of_share,
    .shared_bytes = bytes_of_place_tallies,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v19",
    .after = "v12",
    .title = "Short rows first",
    .technique = "rows as wide as they need, the short ones first, so that L1 has those visited most",
    .lesson = "What is used together should lie together.",
    .estimand = estimand_of(design),
    .default_blocks_per_sm = 1,
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v19
