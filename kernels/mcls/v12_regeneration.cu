// Step 12: regeneration
// Change: as v11, but a lane whose history ends takes the next one of its block, while the others walk on.
// Why:    a warp of v11 walks until the longest of its 32 histories ends. On lap2d the mean is 836 transitions and the longest
//         of 32 about 2,000. Predicted on an H200: 280 transitions/ns on lap2d, 90 on sp1.
// Cost:   63 instructions per transition, 16 of them for the word; one load of 16 bytes, one of 8, one ATOMS.
// Limit:  lap2d: the issue slots, then L1, from which the 32 lanes of a warp read 16 bytes each at random; shift1d: L2; sp1:
//         L2.
// Note:   four words at a time: a history that ends wastes up to three steps.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls::v12 {

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
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
    .bits_of_first = 27,
    .histories_of_block = histories_of_share,
    .shared_bytes = bytes_of_tallies,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v12",
    .after = "v11",
    .title = "Regeneration",
    .technique = "lanes whose history ends take the next one",
    .lesson = "Lanes need not end together.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v12
