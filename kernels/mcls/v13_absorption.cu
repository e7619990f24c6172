// Step 13: absorption
// Change: as v12, but a transition has the probability of the entry of H itself, and a history ends with the rest of the row.
// Why:    weights keep their size, so no transition is spent on small ones, and no cutoff is needed. A history has 143
//         transitions instead of 836 on lap2d, and 4 instead of 93 on shift1d, for 1.1 and 1.8 times the variance. The same
//         error takes a fifth of the transitions on lap2d and a thirteenth on shift1d. Predicted on an H200: 280 transitions/ns on
//         lap2d, 60 on shift1d, 90 on ad3d.
// Cost:   64 instructions per transition, as in v12; on shift1d a search for the start for every four transitions besides.
// Limit:  the issue slots, as in v12; on shift1d the starts, on large systems the atomics in L2.
// Note:   rows of the transposed H may not add up to more than 1. sp1 has such rows.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls::v13 {

using bench::Launch;

constexpr unsigned threads = 512;

using Method = Adjoint<AliasRows>;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, std::uint32_t in_shared, Counts counts) {
    extern __shared__ std::uint32_t low[];
    const SharedTallies tallies(low, 0, in_shared, counts.tallies());
    const Share share(histories);
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
    .name = "v13",
    .after = "v12",
    .title = "Absorption",
    .technique = "histories end by chance, with the rest of the row",
    .lesson = "A walker that ends by chance does not grow faint.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v13
