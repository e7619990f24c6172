// Ablation of step 20: short rows
// Change: as v20, on the rows of v19 and with its one block of 1,024 threads, whose lanes go on with the next history as in v12.
//         With d the estimate of x, histories walk D^-1 H D in place of H, so that a factor depends on the row alone and fits
//         into v19's slot. A history starts with the d of its entry, and a visit adds weight times b / d.
// Why:    v20 waits for L2, from which its table of 33 MB comes, then for the factor of a transition, and then for the longest
//         history of a warp. Here the slots are 16 MB, the factor is in the slot, and no lane waits. The histories of a block
//         start at neighbouring entries, so that L1 has many of their rows. Predicted on an H200: 120 transitions/ns on sp1.
// Cost:   one load of 16 bytes and one of b per transition, one RED.64 a history.
// Limit:  sp1: L2; lap2d: not profiled.
// Note:   where d is close to x, all histories are nearly the same, and what happens once in 2^25 transitions is seen. With the
//         factors that v19 has for the first parts of slots the verdict fails; a second word replaces them.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/guided_short_rows.cuh"
#include "kernels/mcls/shared/regeneration.cuh"

namespace mcls::v20_short_rows {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = GuidedShortRows;

__global__ void __launch_bounds__(threads, 1)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, Counts counts) {
    const Share share(histories);
    HistoryId id = {launch, 0};
    std::uint32_t entry = 0;
    std::int64_t sum = 0;
    const Work done = walk_share(
        share, [&](std::uint32_t state, std::uint32_t word) { return method.move(state, word, keys, id); },
        method.limits, keys, launch,
        [&](std::uint64_t history, std::uint64_t) {
            id.history = history;
            entry = method.entry_of(history);
            return method.start(entry);
        },
        [&](std::uint32_t state, double weight) { sum += method.amount(state, weight); },
        [&] {
            counts.tallies().add(entry, sum);
            sum = 0;
        });
    counts.add_work(done);
}

cudaError_t launch(const Launch& l) {
    walk<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(uploaded<Method>(l), keys_of(l.seed),
                                                           static_cast<std::uint32_t>(l.index),
                                                           walks_of(l.problem).histories, Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
    .histories_of_block = histories_of_share,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v20_short_rows",
    .after = "v20",
    .title = "v20, short rows",
    .technique = "the guide in the rows: weights in units of the estimate, on rows as wide as they need",
    .lesson = "What the table and the wait for the longest history cost v20.",
    .estimand = estimand_of(design),
    .default_blocks_per_sm = 1,
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v20_short_rows
