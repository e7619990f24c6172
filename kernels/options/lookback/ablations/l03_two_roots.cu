// Ablation of l3: two roots
// Change: as l3, but Box-Muller gives normals and not their squares: XU takes the root of the radius, and that of the
//         variance each day, as in l4.
// Why:    the one root is l3's first idea. This leaves the others: words, prices in logarithms and the clamp. XU gives
//         2.9 results per path-step and not 2.5. Predicted: 8 % slower than l3, 1,160 path-steps/ns on an H200.
// Cost:   20 instructions per path-step, 2.9 of them on XU.
// Limit:  XU: 1,450 path-steps/ns.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/twin_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l3_two_roots {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 256;
constexpr unsigned resident = 4;  // blocks of a multiprocessor, as many as of l3
constexpr unsigned iters = most_iters_of(threads);

/// The path of l4 without its twin.
__device__ __forceinline__ PathValues two_root_path(rng::MrgDraws& draw) {
    float growth[steps + 1] = {1};
    Log2Day day;
    unsigned t = 0;
    const auto next = [&](float quarter) {
        advance(&day, quarter);
        growth[++t] = rng::xu_exp2(day.x);
    };
    for (unsigned pair = 0; pair < steps / 2; pair++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        const QuarterPair normals = quarter_normals(radius_word, angle_word);
        next(normals.first);
        next(normals.second);
    }
    return {payoff_of_growth<steps>(growth), natural(day.x)};
}

__global__ void __launch_bounds__(threads, resident)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for_paths_of_mrg<steps>(iters, draw, [&] {
        const PathValues path = two_root_path(draw);
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
    .name = "l3_two_roots",
    .after = "l3",
    .title = "Two roots",
    .technique = "l3 with normals in place of their squares",
    .lesson = "A square that is needed anyway saves a root.",
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

}  // namespace lookback::l3_two_roots
