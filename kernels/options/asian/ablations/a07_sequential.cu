// Ablation of step 7: without the bridge
// Change: as a7, but coordinates 2 t and 2 t + 1 give the normals of step t.
// Why:    every coordinate matters alike, and the late ones are spread less evenly. Predicted: 680 path-steps/ns on an
//         H200, and 30 times the variance of a7 with as many points.
#include <memory>

#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/points.cuh"
#include "kernels/options/asian/shared/points.hpp"

namespace asian::a7_sequential {

using bench::Launch;

constexpr unsigned blocks = 128;  // with these threads and paths: 2^20 points
constexpr unsigned threads = 1024;

constexpr unsigned unrolled = 16;

/// The path whose step t takes row t of the words.
template <unsigned steps, typename Words>
__device__ __forceinline__ float sequential_excess(Words words) {
    constexpr double unit = Logarithms<steps>::unit;
    LogPath<steps> path;
#pragma unroll 1
    for (unsigned groups = steps / unrolled; groups > 0; groups--) {
#pragma unroll
        for (unsigned t = 1; t <= unrolled; t++) {
            const WordPair pair = words();
            const float a = rng::inverse_cdf(pair.a, unit);
            path.step(t, {1, a, a - rng::inverse_cdf(pair.b, 4 * unit)});
        }
        path.end_group(unrolled);
    }
    return path.excess();
}

template <unsigned steps>
__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch, const WordPair* directions) {
    extern __shared__ WordPair shared[];
    const std::uint64_t first = rng::grid_thread() / lanes * iters;
    Points<steps> points(shared, directions, first, seed, launch);
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        if (i > 0) points.advance(first + i - 1);
        add_path(&sums, sequential_excess<steps>(points.reader()));
    }
    options::publish(sums, counts);
}

template <unsigned steps>
cudaError_t launch(const Launch& l) {
    price<steps><<<l.shape.blocks, l.shape.threads, Points<steps>::bytes(l.shape.threads), l.stream>>>(
        l.counts, l.iters, l.seed, l.index, directions_of(l));
    return cudaGetLastError();
}

template <unsigned steps>
bench::Step step_of(const char* name) {
    return {
        .name = name,
        .after = "a7",
        .title = "a7 without the bridge",
        .technique = "Sobol points in 512 dimensions, step after step",
        .lesson = "Which coordinate does what decides how much even points are worth.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = "Sobol, shifted",
                                           .soundness = bench::Soundness::quasi_random,
                                           .independent = bench::Independent::launches,
                                           .most_numbers = std::uint64_t{1} << 32,
                                           .normals = normals_of_points<steps>})),
        .default_blocks = blocks,
        .default_threads = threads,
        .default_iters = 2048 / steps,
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .dynamic_shared_bytes = Points<steps>::bytes,
        .counts = counts_of<Sums>,
        .equip = equip_with_directions<steps, Order::steps>,
        .phases = {{"price", launch<steps>}},
    };
}

extern const bench::Step step;
const bench::Step step = step_of<256>("a7_sequential");

}  // namespace asian::a7_sequential
