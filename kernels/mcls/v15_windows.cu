// Step 15: windows
// Change: as v14, but where shared memory has no room for all tallies, a block has those of a window of entries around its
//         starts. The other tallies go to L2.
// Why:    stratified histories of a block start side by side and stay near: on shift1d none leaves 24,576 entries, on ad3d a
//         fifth of the visits are outside. Predicted on an H200: 150 transitions/ns on shift1d, 150 on ad3d.
// Cost:   64 instructions per transition, as in v14, one of them a comparison.
// Limit:  the issue slots on lap2d; on the others rows from L2, as each block has its own.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/mcls/shared/windows.cuh"

namespace mcls::v15 {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = Stratified<AliasRows>;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, std::uint32_t window, Counts counts) {
    extern __shared__ std::uint32_t low[];
    const Share share(histories, window == method.rows.n ? Order::spread : Order::side_by_side);
    const std::uint32_t first = window_first(method, share, window);
    const SharedTallies tallies(low, first, window, counts.tallies());
    const Work done = walk_share(share, method, keys, launch,
                                 [&](std::uint32_t entry, std::int64_t amount) { tallies.add(entry, amount); });
    counts.add_work(done);
    tallies.flush();
}

std::size_t shared_bytes(const Walks& walks, unsigned) { return window_of(walks.n) * sizeof(std::uint32_t); }

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, shared_bytes(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories, window_of(walks.n),
        Counts{l.counts});
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
    .shared_bytes = shared_bytes,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v15",
    .after = "v14",
    .title = "Windows",
    .technique = "tallies of a window around the block's starts",
    .lesson = "Sorted work fits where all of it does not.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v15
