// Step 14: stratified starts
// Change: as v13, but history h draws its start from the h-th part of b, not from all of it.
// Why:    starts come sorted without a sort: a block's histories start in a short range of states, so their rows are in its L1
//         cache and a search for a start has few places to look at. And the variance of the starts is gone: 8 % fewer
//         transitions on lap2d and 40 % fewer on shift1d for the same error. Predicted on an H200: 280 transitions/ns on
//         lap2d, 100 on shift1d, 100 on ad3d.
// Cost:   64 instructions per transition, as in v13, and 12 for a history.
// Limit:  the issue slots, as in v13; on systems with more entries than shared memory has tallies, atomics and rows in L2
//         (not profiled).
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls::v14 {

using bench::Launch;

constexpr unsigned threads = 512;

using Method = Stratified<AliasRows>;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, std::uint32_t in_shared, Counts counts) {
    extern __shared__ std::uint32_t low[];
    const SharedTallies tallies(low, 0, in_shared, counts.tallies());
    const Share share(histories, in_shared > 0 ? Order::spread : Order::side_by_side);
    const Work done = walk_share(share, method, keys, launch,
                                 [&](std::uint32_t entry, std::int64_t amount) { tallies.add(entry, amount); });
    counts.add_work(done);
    tallies.flush();
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, bytes_of_tallies(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories,
        tallies_in_shared(walks.n), Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .sampling = Sampling::absorbing,
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 50'000'000,
    .instead = "v12",
    .bits_of_first = 24,
    .histories_of_block = histories_of_share,
    .shared_bytes = bytes_of_tallies,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v14",
    .after = "v13",
    .title = "Stratified starts",
    .technique = "history h starts in the h-th part of b",
    .lesson = "Even starts cost nothing, and neighbours share a cache.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 4,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v14
