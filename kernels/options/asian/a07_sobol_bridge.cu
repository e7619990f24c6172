// Step 7: quasi-Monte Carlo
// Change: as a5, but the normals come from the points of Sobol's sequence, in 512 dimensions, by the inverse distribution
//         function. Each launch shifts all points by the same random words. A Brownian bridge makes the path: the first
//         coordinates give its end, its middle and so on, and the last ones only details.
// Why:    the error of points that are spread evenly falls faster than that of random ones, if few coordinates matter.
//         Predicted: 600 path-steps/ns on an H200, and with 2^20 points a launch 200 times the precision of a5 in the
//         same time.
// Cost:   49.4 instructions per path-step: 4 for the words, 32 for two normals, 10 for the bridge and the price, and what
//         walks the stack; 5 on XU.
// Limit:  the issue slots: 678 path-steps/ns, and XU, 836.
// Note:   the points of a launch depend on each other, so only whole launches show an error: at least 16. A launch should
//         have a power of two of points, and has 2^32 at most. No path is stored: the bridge is walked depth first with a
//         stack of 8, since any coordinate of a point can be computed at any time. The direction numbers are cuRAND's.
#include <memory>

#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/points.cuh"
#include "kernels/options/asian/shared/points.hpp"

namespace asian::a7 {

using bench::Launch;

constexpr unsigned blocks = 128;  // with these threads and paths: 2^20 points
constexpr unsigned threads = 1024;

template <unsigned steps>
__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch, const WordPair* directions) {
    extern __shared__ WordPair shared[];
    const std::uint64_t first = rng::grid_thread() / lanes * iters;
    Points<steps> points(shared, directions, first, seed, launch);
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        if (i > 0) points.advance(first + i - 1);
        BridgePath<steps> path;
        add_path(&sums, path.excess(points.reader()));
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
bench::Step step_of(const char* name, const std::shared_ptr<const bench::OwnOptions>& own_options = {}) {
    return {
        .name = name,
        .after = "a5",
        .title = "Quasi-Monte Carlo",
        .technique = "Sobol points in 512 dimensions, inverse distribution function, Brownian bridge",
        .lesson = "Even points pay off in 512 dimensions too, if the first few carry most of the variance.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = "Sobol, shifted",
                                           .soundness = bench::Soundness::quasi_random,
                                           .independent = bench::Independent::launches,
                                           .most_numbers = std::uint64_t{1} << 32,
                                           .normals = normals_of_bridges<steps>})),
        .default_blocks = blocks,
        .default_threads = threads,
        .default_iters = 2048 / steps,
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .dynamic_shared_bytes = Points<steps>::bytes,
        .counts = counts_of<Sums>,
        .equip = equip_with_directions<steps, Order::bridge>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_16_steps = step_of<16>("a7_steps16");
const bench::Step of_64_steps = step_of<64>("a7_steps64");

extern const bench::Step step;
const bench::Step step = step_of<256>("a7", steps_choice(&of_16_steps, &of_64_steps));

}  // namespace asian::a7
