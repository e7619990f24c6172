// Step 6: control variates
// Change: as a5, but each path also pays what each asset alone would pay if its mean were geometric. These two means are
//         known in closed form. The price is corrected by what they miss, by regression.
// Why:    the corrected price has 0.198 of the variance, so a fifth of the paths do. The sums of the logarithms cost two
//         additions a step. Predicted: 1,090 path-steps/ns on an H200, 4.6 times the precision of a5 in the same time.
// Cost:   26.7 instructions per path-step, 3 of them on XU, and four exponentials a path.
// Limit:  the issue slots: 1,250 path-steps/ns. Next: points that are more even than random ones.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a6 {

using bench::Launch;

constexpr unsigned threads = 256;
constexpr unsigned unrolled = 31;  // steps a trip: whole rounds of the generator's 31 words

/// Blocks of a multiprocessor: with 3, a thread has 80 registers. Shorter paths move their words and need more.
template <unsigned steps>
constexpr unsigned resident = steps == 256 ? 3 : 2;

template <unsigned n, unsigned steps>
__device__ __forceinline__ void walk(ControlledPath<steps>& path, rng::MrgDraws& draw) {
#pragma unroll
    for (unsigned t = 1; t <= n; t++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        path.step(t, path.move(radius_word, angle_word));
    }
    path.end_group(n);
}

template <unsigned steps>
__global__ void __launch_bounds__(threads, resident<steps>)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    ControlledSums sums;
    for (unsigned i = 0; i < iters; i++) {
        ControlledPath<steps> path;
#pragma unroll 1
        for (unsigned groups = steps / unrolled; groups > 0; groups--) walk<unrolled>(path, draw);
        walk<steps % unrolled>(path, draw);
        sums.add(positive_part(path.excess()), path.geo_a(), path.geo_b());
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
        .after = "a5",
        .title = "Control variates",
        .technique = "two geometric puts as control variates",
        .lesson = "What is known exactly and moves with the unknown takes away its noise.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = rng::MrgDraws::generator.name,
                                           .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                           .publishes = Publishes::controls,
                                           .normals = normals_of_mrg})),
        .default_threads = threads,
        .default_iters = path_steps / steps,
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<ControlledSums>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_16_steps = step_of<16>("a6_steps16");
const bench::Step of_64_steps = step_of<64>("a6_steps64");

extern const bench::Step step;
const bench::Step step = step_of<256>("a6", steps_choice(&of_16_steps, &of_64_steps));

}  // namespace asian::a6
