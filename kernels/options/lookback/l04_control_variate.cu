// Step 4: a control variate
// Change: as l3, and beside each path its twin: the same normals, but on each day the mean variance. Its mean payoff is a
//         sum of Black-Scholes prices, and its payoff is published as a control. The twin needs the normals themselves,
//         so Box-Muller takes its root again and the variance another one.
// Why:    the two payoffs have a correlation of 0.9935. What is left of the variance after the regression on the control
//         is 1.3 %. Predicted: 950 path-steps/ns on an H200, and 60 times less variance of the price than l3 in the same
//         time.
// Cost:   25.6 instructions per path-step, 3.75 of them on XU.
// Limit:  XU: 1,115 path-steps/ns. Next: points that are spread evenly.
// Note:   the mean of the twin's payoff is exact, so it also tests the arithmetic of paths.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/twin_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l4 {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 256;
constexpr unsigned blocks_per_sm = 3;  // leaves 80 registers to a thread: more warps hide more of the waiting for XU
constexpr unsigned iters = most_iters_of(threads);

__global__ void __launch_bounds__(threads, blocks_per_sm)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    SumsWithTwin<steps> sums;
    for_paths_of_mrg<steps>(iters, draw, [&] {
        const TwinValues path = twin_path<steps>(draw);
        sums.add(path.payoff, path.twin, path.log_return);
    });
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "l4",
    .after = "l3",
    .title = "A control variate",
    .technique = "a twin path with known mean payoff as a control",
    .lesson = "What is known exactly about a problem like yours need not be sampled.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .twin = true,
                                       .normals = normals_of_mrg})),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<SumsWithTwin<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l4
