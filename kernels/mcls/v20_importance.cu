// Step 20: importance
// Change: against v10, histories walk forward, and an estimate of x guides them: a transition has a probability in proportion to
//         |H_ij| x_j. The estimate is what 200 sweeps of Jacobi's iteration make of ones, on the host. A history adds up its
//         tally in a register.
// Why:    a history that knows where x is large goes there, and its weight stays near what it estimates. On sp1 the variance
//         of forward histories, which may be infinite in v7 and v8, becomes 133 |x|^2; that of adjoint ones is 3,100 |x|^2, and
//         theirs are five times as long. Predicted on an H200: 45 transitions/ns on sp1 and 40 on lap2d.
// Cost:   49 instructions per transition, as in v10; two loads of the row and one of b, one RED.64 a history.
// Limit:  lap2d: L1; sp1: L2, from which a table of 33 MB comes; on both lanes wait for the longest history of their warp.
// Note:   the guide is not free: 200 sweeps come close to the solution, and more of them leave nothing to estimate.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls::v20 {

using bench::Launch;

constexpr unsigned threads = 128;

using Method = Forward<AliasRows>;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, Counts counts) {
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        std::int64_t sum = 0;
        done.histories++;
        done.transitions += method(keys, {launch, h}, [&](std::uint32_t, std::int64_t amount) { sum += amount; });
        counts.tallies().add(method.entry_of(h), sum);
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
    .sampling = Sampling::importance,
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v20",
    .after = "v10",
    .title = "Importance",
    .technique = "forward histories guided by an estimate of x, which 200 sweeps of Jacobi's iteration make",
    .lesson = "Who knows where the solution is large needs few histories, and has nearly solved the system.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v20
