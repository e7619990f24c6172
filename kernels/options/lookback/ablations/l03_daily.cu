// Ablation of l3: the path of l2
// Change: as l2, with the words of l3.
// Why:    l3 changes the words and the arithmetic. This is the change of the words alone. Predicted: XU's limit, 1,045
//         path-steps/ns on an H200, of which 1,000 are reached.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/daily_path.cuh"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/sums.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l3_daily {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 256;
constexpr unsigned iters = most_iters_of(threads);

__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for_paths_of_mrg<steps>(iters, draw, [&] {
        float prices[steps];
        const auto next_pair = [&] { return next_normal_pair(draw); };
        const float last = walk<steps>(next_pair, [&](unsigned t, float price) { prices[t] = price; });
        sums.add(payoff<steps>([&](unsigned t) { return prices[t]; }, last), log_return<steps>(last));
    });
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "l3_daily",
    .after = "l2",
    .title = "The path of l2",
    .technique = "l2 with the multiple recursive generator",
    .lesson = "Cheaper words gain what the slowest pipe leaves.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .float_error = float_error_of_products(steps),
                                       .normals = whole_circle_normals_of_mrg})),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l3_daily
