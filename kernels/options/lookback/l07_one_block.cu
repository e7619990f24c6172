// Step 7: one block
// Change: as l3, but a multiprocessor has one block of 1,024 threads in place of four blocks of 256. Both have 32 warps of 64
//         registers.
// Why:    the scheduler prefers the warps of one block to those of another. So the blocks of l3 do not end together, and
//         towards the end of a launch too few warps are left to hide each other's latency. The warps of one block
//         advance evenly. Predicted: 1,350 path-steps/ns on an H200, as a sketch reached.
// Cost:   19.7 instructions per path-step, 2.5 of them on XU.
// Limit:  XU and the issue slots alike: 1,670 path-steps/ns. Next: XU's work among that of other pipes.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/one_root_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l7 {

using bench::Launch;

constexpr unsigned steps = 8;
constexpr unsigned threads = 1024;
constexpr unsigned iters = most_iters_of(threads);

__global__ void __launch_bounds__(threads)
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
    .name = "l7",
    .after = "l3",
    .title = "One block",
    .technique = "one block of 1,024 threads a multiprocessor",
    .lesson = "Warps of one block advance together; those of several blocks do not.",
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

}  // namespace lookback::l7
