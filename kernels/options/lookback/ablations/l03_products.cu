// Ablation of l3: prices as products
// Change: as l3, but a price is the one before times the exponential of its shock, and x_T is the logarithm of the last.
// Why:    of l3's arithmetic this changes the prices alone. A product takes the instruction that the sum took, and the
//         logarithm is one result of XU in eight path-steps. Predicted: 4 % slower than l3, 1,220 path-steps/ns on an
//         H200. What sums of logarithms gain beside this is exactness: products add up the errors of the exponentials.
// Cost:   20 instructions per path-step, 2.6 of them on XU.
// Limit:  XU: 1,590 path-steps/ns.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/one_root_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l3_products {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 256;
constexpr unsigned iters = most_iters_of(threads);

/// The path of one_root_path() with such prices.
__device__ __forceinline__ PathValues path_of_products(rng::MrgDraws& draw) {
    float growth[steps + 1] = {1};
    UnrootedDay day;
    unsigned t = 0;
    const auto next = [&](float square, unsigned sign_word) {
        day.x = -0.0f;  // adding to it takes no instruction
        advance(&day, square, sign_word);
        growth[t + 1] = growth[t] * rng::xu_exp2(day.x);
        t++;
    };
    for (unsigned pair = 0; pair < steps / 2; pair++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        const SquaredPair squares = squared_normals(radius_word, angle_word);
        next(squares.first, radius_word);
        next(squares.second, angle_word);
    }
    return {payoff_of_growth<steps>(growth), natural(rng::xu_log2(growth[steps]))};
}

__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for_paths_of_mrg<steps>(iters, draw, [&] {
        const PathValues path = path_of_products(draw);
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
    .name = "l3_products",
    .after = "l3",
    .title = "Prices as products",
    .technique = "l3 with products of exponentials",
    .lesson = "What a sum of logarithms saves is exactness more than time.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .float_error = float_error_of_products(steps),
                                       .normals = normals_of_mrg})),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l3_products
