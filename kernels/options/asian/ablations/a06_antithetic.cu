// Ablation of step 6: antithetic paths in place of control variates
// Change: as a5, but each path has a mirror image, whose normals have the opposite signs. Their mean is one number.
// Why:    the second path needs no normals: 15 instructions per path-step in place of 24, and 2 on XU. Predicted: 1,800
//         path-steps/ns on an H200, and 0.625 of the variance in as many paths: 2.4 times the precision of a5 in the same
//         time, less than control variates give.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a6_antithetic {

using bench::Launch;

constexpr unsigned threads = 256;
constexpr unsigned resident = 3;   // blocks of a multiprocessor: 80 registers a thread
constexpr unsigned unrolled = 31;  // steps a trip: whole rounds of the generator's 31 words

template <unsigned n, unsigned steps>
__device__ __forceinline__ void walk(LogPath<steps>& path, LogPath<steps>& mirrored, rng::MrgDraws& draw) {
#pragma unroll
    for (unsigned t = 1; t <= n; t++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        const Move move = path.move(radius_word, angle_word);
        path.step(t, move);
        mirrored.step(t, {-move.radius, move.log_a, move.gap});
    }
    path.end_group(n);
    mirrored.end_group(n);
}

template <unsigned steps>
__global__ void __launch_bounds__(threads, resident)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        LogPath<steps> path, mirrored;
#pragma unroll 1
        for (unsigned groups = steps / unrolled; groups > 0; groups--) walk<unrolled>(path, mirrored, draw);
        walk<steps % unrolled>(path, mirrored, draw);
        const float x = path.excess(), y = mirrored.excess();
        sums.add((fmaxf(x, 0.0f) + fmaxf(y, 0.0f)) / 2, (x + y) / 2);
    }
    options::publish(sums, counts);
}

template <unsigned steps>
cudaError_t launch(const Launch& l) {
    price<steps><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

template <unsigned steps>
bench::Step step_of(const char* name) {
    return {
        .name = name,
        .after = "a6",
        .title = "a5 with antithetic paths",
        .technique = "pairs of paths with opposite normals",
        .lesson = "A path and its mirror image cost fewer numbers, and their errors cancel in part.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = rng::MrgDraws::generator.name,
                                           .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                           .publishes = Publishes::excess_of_pairs,
                                           .normals = normals_of_mrg})),
        .default_threads = threads,
        .default_iters = path_steps / steps / 2,
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<Sums>,
        .phases = {{"price", launch<steps>}},
    };
}

extern const bench::Step step;
const bench::Step step = step_of<256>("a6_antithetic");

}  // namespace asian::a6_antithetic
