// Step 10: alias rows
// Change: as v9, but a row is 2^k slots of equal probability, 2^k no less than the longest row. A slot has one entry of the row
//         below a threshold and another one from there on.
// Why:    one load of 16 bytes finds the transition, and one of 8 its factor, however long the row: the search in v9 takes
//         log2(entries of the row) loads, one after the other. Predicted on an H200: 16 transitions/ns on lap2d, 70 on
//         shift1d, 40 on sp1.
// Cost:   51 instructions per transition, 16 of them for the word; two loads, one RED.64.
// Limit:  latency of memory, on small systems of the atomics on few addresses of L2, 17 per ns on 7 kB; on large ones of the
//         loads from L2.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls::v10 {

using bench::Launch;

constexpr unsigned threads = 128;

using Method = Adjoint<AliasRows>;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, Counts counts) {
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        done.histories++;
        done.transitions += method(
            keys, {launch, h}, [&](std::uint32_t entry, std::int64_t amount) { counts.tallies().add(entry, amount); });
    }
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
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v10",
    .after = "v9",
    .title = "Alias rows",
    .technique = "rows of 2^k equal slots: one load finds the transition",
    .lesson = "A table of equal slots needs no search.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v10
