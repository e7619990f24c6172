// Ablation of l3: the maximum by its own instruction
// Change: as l3, but the multiply-add that subtracts the last price does not clamp: the maximum with 0 follows it.
// Why:    of l3's arithmetic this changes the payoff alone, by one instruction per path-step, on the ALU pipe. Predicted:
//         3 % slower than l3, 1,230 path-steps/ns on an H200.
// Cost:   21 instructions per path-step, 2.5 of them on XU.
// Limit:  the issue slots and XU alike: 1,630 path-steps/ns.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/one_root_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l3_maximum {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 256;
constexpr unsigned iters = most_iters_of(threads);

/// payoff_of_growth() without its clamp.
__device__ __forceinline__ float payoff_with_maximum(const float (&growth)[steps + 1]) {
    constexpr double unit = price_unit<steps>;
    const float last = static_cast<float>(calm_price(steps, unit)) * growth[steps];
    float sum = 0;
    for (unsigned t = 0; t < steps; t++) {
        sum += fmaxf(fmaf(growth[t], static_cast<float>(calm_price(t, unit)), -last), 0.0f);
    }
    return sum * static_cast<float>(unit);
}

__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for_paths_of_mrg<steps>(iters, draw, [&] {
        const PathValues path = one_root_path<steps>(draw, payoff_with_maximum);
        sums.add(path.payoff, path.log_return);
    });
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "l3_maximum",
    .after = "l3",
    .title = "The maximum by its own instruction",
    .technique = "l3 with a maximum in place of the clamp",
    .lesson = "A clamp that an instruction has anyway is a maximum for nothing.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .normals = normals_of_mrg})),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l3_maximum
