// Ablation of l3: the cosine on XU
// Change: as l3, but XU gives cos^2 = (1 + cos 2 angle) / 2, not a polynomial.
// Why:    the polynomial takes 8 instructions a pair of normals, this takes 5. But XU then gives 3 results per path-step
//         and not 2.5. Predicted: slower than l3, as XU allows 1,390 path-steps/ns on an H200.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/one_root_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l3_xu {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 256;
constexpr unsigned iters = most_iters_of(threads);

__device__ __forceinline__ SquaredPair squares_on_xu(unsigned radius_word, unsigned angle_word) {
    constexpr float scale = -0.0866433978f;               // -2 ln 2 / 16, as in squared_normals
    constexpr float half_turn = 1.4629180792671596e-09f;  // pi / 2^31
    const float log2_u = rng::log2_of_31_bits(radius_word);
    const float cosine = rng::xu_cos(static_cast<float>(static_cast<int>(angle_word)) * half_turn);
    const float first = log2_u * fmaf(cosine, scale / 2, scale / 2);
    return {first, fmaf(log2_u, scale, -first)};
}

__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for_paths_of_mrg<steps>(iters, draw, [&] {
        const PathValues path = one_root_path<steps, squares_on_xu>(draw);
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
    .name = "l3_xu",
    .after = "l3",
    .title = "The cosine on XU",
    .technique = "l3 with the cosine on XU",
    .lesson = "A polynomial is worth its instructions where XU is the limit.",
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

}  // namespace lookback::l3_xu
