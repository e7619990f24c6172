// Step 8: lagged payoffs
// Change: against l7, the payoff of a path is made between the days of the next one, and the squares of normals are made two
//         days ahead. ptxas keeps the order of the source (-O1). A block has 896 threads of 72
//         registers. The paths of a stream are those of l7, bit for bit.
// Why:    nvcc puts the exponentials of a path together at its end, after all of its days, so XU has a queue there and little
//         to do before. Here the logarithm of the next normals, the root of a day and the exponential of the last path stand
//         among the work of other pipes. Predicted: 1,410 path-steps/ns on an H200, by a model of one scheduler.
// Cost:   19.7 instructions per path-step, where 19.5 were predicted; 2.5 of them on XU.
// Limit:  XU, 1,672 path-steps/ns, then the issue slots, which are almost as busy.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/lagged_path.cuh"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l8 {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 896;
constexpr unsigned iters = most_iters_of(threads);

__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    KeptPath<steps> path;
    const auto add = [&](const PathValues& values) { sums.add(values.payoff, values.log_return); };
    for_paths_of_mrg<steps>(iters, draw, [&] { add(next_path(draw, &path)); });
    add(values_of(path));
    sums.take_back_zeros();  // of the path before the first one
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "l8",
    .after = "l7",
    .title = "Lagged payoffs",
    .technique = "the payoff of a path between the days of the next one, in the order of the source",
    .lesson = "A slow unit wants its work spread over the code: in one place it makes a queue.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .normals = normals_of_mrg})),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = bench::plain_loops + 2,  // two paths beyond the groups of three
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l8
