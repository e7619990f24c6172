// Step 5: quasi-Monte Carlo
// Change: as l3, but without random points. A launch takes the points of Sobol's sequence in eight dimensions, all shifted
//         digit by digit by the same eight random words. The inverse distribution function makes a normal of each word,
//         and a Brownian bridge a path of eight normals.
// Why:    a path of eight days is a point in eight dimensions, few enough for an even set to be much better than a random
//         one. Its error falls nearly as one over the number of points. Predicted: 900 path-steps/ns on an H200, and at
//         2^18 points 10,000 times less variance of the price than from as many random paths.
// Cost:   29.3 instructions per path-step, 4 of them on XU. Successive points differ by one direction number: with points
//         unrolled by four, three of four direction numbers are operands in constant memory.
// Limit:  XU: 1,045 path-steps/ns. The set has 2^32 points.
// Note:   the points of a launch depend on each other, so only whole launches show an error: at least 16. A launch should
//         have a power of two of points: other numbers are less even.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/bridge_path.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/random/sobol.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l5 {

using bench::Launch;

constexpr unsigned steps = bridge_days;
constexpr unsigned blocks = 512;
constexpr unsigned threads = 256;
constexpr unsigned iters = most_iters_of(threads);  // 2^28 points
constexpr unsigned unrolled = 4;                    // divides sobol_group

using Point = rng::SobolWords<steps>;

__constant__ const rng::SobolDirections<steps> directions = rng::joe_kuo_directions<steps>();

__global__ void __launch_bounds__(threads) price(bench::Count* counts, unsigned iters, Point shift) {
    const rng::SobolStretch groups = rng::sobol_groups_of(rng::grid_thread(), iters);
    const rng::SobolStretch rest = rng::sobol_rest_of(rng::grid_thread(), rng::grid_threads(), iters);
    Sums<steps> sums;
    const auto add = [&](const Point& point) {
        const PathValues path = bridge_path(point);
        sums.add(path.payoff, path.log_return);
    };

    Point point = rng::sobol_point_of(directions, groups.first);
    point ^= shift;
    for (unsigned n = groups.first + unrolled; n != groups.first + groups.points + unrolled; n += unrolled) {
#pragma unroll
        for (unsigned j = 1; j < unrolled; j++) {
            add(point);
            point ^= directions.of_bit[j == 2 ? 1 : 0];  // the lowest bit of j that is set
        }
        add(point);
        point ^= directions.of_bit[__ffs(n) - 1 & 31];  // n is 0 after the last point of the set
    }
    if (rest.points > 0) {
        point = rng::sobol_point_of(directions, rest.first);
        point ^= shift;
        for (unsigned n = rest.first + 1; n != rest.first + rest.points + 1; n++) {
            add(point);
            point ^= directions.of_bit[__ffs(n) - 1 & 31];
        }
    }
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters,
                                                            rng::sobol_shift_of<steps>(l.seed, l.index));
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "l5",
    .after = "l3",
    .title = "Quasi-Monte Carlo",
    .technique = "Sobol points in eight dimensions, Brownian bridge, a random shift for each launch",
    .lesson = "In few dimensions an even set of points needs far fewer of them than a random one.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = "Sobol, digital shift",
                                       .soundness = bench::Soundness::quasi_random,
                                       .independent = bench::Independent::launches,
                                       .most_paths = rng::sobol_points,
                                       .normals = normals_of_bridges})),
    .default_blocks = blocks,
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = 2 * rng::sobol_group - 1,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l5
