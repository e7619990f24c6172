// Step 5: one exponential
// Change: as a4, but a path is a pair of binary logarithms, and a step takes one exponential, that of the larger one. All
//         constants go where they cost nothing: the volatility into the polynomials of sine and cosine, the drifts into a
//         threshold and into the factor with which a price is added.
// Why:    the option takes the larger of two prices, and max(2^x, 2^y) is 2^max(x, y). XU has 3 results a step left, the
//         issue slots 24 instructions. Predicted: 1,200 path-steps/ns on an H200, 86 % of the 1,394 that either allows.
// Cost:   24.5 instructions per path-step: 2 for the words, 5 for the radius and its sign, 11 for the direction, 6 for the
//         path, and the loop. 3 are on XU: logarithm, root and exponential.
// Limit:  the issue slots (1,365 path-steps/ns) and XU (1,394) alike, neither full, as blocks do not end together
//         and few warps are left at the end of a launch. Next: fewer paths (a6), and warps to the end (a8).
// Note:   the same words give the path of a4, within a float's error.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a5 {

using bench::Launch;

constexpr unsigned threads = 256;
constexpr unsigned resident = 3;   // blocks of a multiprocessor: 80 registers a thread
constexpr unsigned unrolled = 31;  // steps a trip: whole rounds of the generator's 31 words

template <unsigned n, unsigned steps>
__device__ __forceinline__ void walk(LogPath<steps>& path, rng::MrgDraws& draw) {
#pragma unroll
    for (unsigned t = 1; t <= n; t++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        path.step(t, path.move(radius_word, angle_word));
    }
    path.end_group(n);
}

template <unsigned steps>
__global__ void __launch_bounds__(threads, resident)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        LogPath<steps> path;
#pragma unroll 1
        for (unsigned groups = steps / unrolled; groups > 0; groups--) walk<unrolled>(path, draw);
        walk<steps % unrolled>(path, draw);
        add_path(&sums, path.excess());
    }
    options::publish(sums, counts);
}

template <unsigned steps>
cudaError_t launch(const Launch& l) {
    price<steps><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

template <unsigned steps>
bench::Step step_of(const char* name, const std::shared_ptr<const bench::OwnOptions>& own_options = {}) {
    return {
        .name = name,
        .after = "a4",
        .title = "One exponential",
        .technique = "paths in logarithms, one exponential a step",
        .lesson = "The larger of two exponentials is the exponential of the larger one.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = rng::MrgDraws::generator.name,
                                           .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                           .normals = normals_of_mrg})),
        .default_threads = threads,
        .default_iters = path_steps / steps,
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<Sums>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_16_steps = step_of<16>("a5_steps16");
const bench::Step of_64_steps = step_of<64>("a5_steps64");

extern const bench::Step step;
const bench::Step step = step_of<256>("a5", steps_choice(&of_16_steps, &of_64_steps));

}  // namespace asian::a5
