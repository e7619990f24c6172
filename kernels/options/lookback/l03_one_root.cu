// Step 3: one root
// Change: as l2, with words of a multiple recursive generator and another arithmetic of the same path:
//         - Box-Muller gives the squares of two normals, r^2 cos^2 and r^2 - r^2 cos^2, and their signs. The cosine
//           squared is a polynomial.
//         - The shock is the root of z^2 h. Its square, which the next variance needs, is there before the root.
//         - Prices are binary logarithms. The drift is a factor in the multiply-add that subtracts the last price, and
//           its clamp to [0, 1] is the maximum with 0.
//         Each alone: ablations/l03_*.cu.
// Why:    XU gave l2 four results per path-step: half a logarithm, half a root and half a sine and cosine of Box-Muller,
//         the root of the variance and an exponential. Now half a logarithm, one root and the exponential are left.
//         Predicted: 1,350 path-steps/ns on an H200.
// Cost:   19.6 instructions per path-step, 2.5 of them on XU.
// Limit:  XU and the issue slots alike, 1,670 path-steps/ns, neither full, as blocks do not end together. Next: fewer paths
//         (l4), and warps to the end (l7).
// Note:   a path takes 8 words, the generator has 31. Three paths take 24, and 7 are drawn but not used. So after three
//         paths each word of the state is in the register that it started in, and nothing moves.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/one_root_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l3 {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 256;
constexpr unsigned blocks_per_sm = 4;  // leaves 64 registers to a thread, which CUDA 13.5 would not keep to of itself
constexpr unsigned iters = most_iters_of(threads);

__global__ void __launch_bounds__(threads, blocks_per_sm)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for_paths_of_mrg<steps>(iters, draw, [&] {
        const PathValues path = one_root_path<steps>(draw);
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
    .name = "l3",
    .after = "l2",
    .title = "One root",
    .technique = "squared normals, binary logarithms, a clamp for the maximum",
    .lesson = "The slowest pipe sets the rate: find the form of the problem that asks the least of it.",
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

}  // namespace lookback::l3
