// Step 1: a path in shared memory
// Change: as l0, with random numbers: the hybrid Tausworthe generator and Box-Muller on XU, as in GPU Gems 3, chapter 37.
// Why:    the payoff compares every price with the last one, so a path must be kept. The chapter keeps it in shared
//         memory, 512 threads of 8 prices, 16 KiB. Its Wallace generator needs that memory for itself and is impossible
//         here. Predicted: 650 path-steps/ns on an H200.
// Cost:   41.8 instructions per path-step, 4 of them on XU.
// Limit:  the issue slots (800 path-steps/ns), most of which the generator takes. With longer paths shared memory: 15 days
//         take 30 KiB and 64 days 128 KiB, with which one block is resident per multiprocessor. Next: registers.
// Note:   the chapter's listing has its threads overlap: it stores price t of thread i at i * 8 + t * 512. Here it is at
//         t * threads + i. Its loop for the payoff starts one price too early.
#include "bench/options/own_options.hpp"
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/shared_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l1 {

using bench::Launch;

constexpr unsigned threads = 512;  // as in the source
constexpr unsigned iters = most_iters_of(threads);

template <unsigned steps>
__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ float prices[];
    rng::HybridTauswortheDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for (unsigned i = 0; i < iters; i++) {
        const auto next_pair = [&] { return next_normal_pair(draw); };
        const PathValues path = shared_path<steps>(prices + threadIdx.x, blockDim.x, next_pair);
        sums.add(path.payoff, path.log_return);
    }
    options::publish(sums, counts);
}

template <unsigned steps>
cudaError_t launch(const Launch& l) {
    price<steps><<<l.shape.blocks, l.shape.threads, bytes_of_paths<steps>(l.shape.threads), l.stream>>>(
        l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

template <unsigned steps>
bench::Step step_of(const char* name, const std::shared_ptr<const bench::OwnOptions>& own_options = {}) {
    return {
        .name = name,
        .after = "l0",
        .title = "A path in shared memory",
        .technique = "hybrid Tausworthe, Box-Muller on XU, prices in shared memory",
        .lesson = "Shared memory holds what a thread must look back on, as long as it is short.",
        .estimand = bench::means(facts_of({.steps = steps,
                                           .generator = rng::HybridTauswortheDraws::generator.name,
                                           .soundness = bench::Soundness::demonstration,
                                           .float_error = float_error_of_products(steps),
                                           .normals = normals_of_tausworthe})),
        .default_threads = threads,
        .default_iters = iters,
        .loops_from = bench::plain_loops,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .dynamic_shared_bytes = bytes_of_paths<steps>,
        .counts = counts_of<Sums<steps>>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_15_steps = step_of<15>("l1_steps15");
const bench::Step of_64_steps = step_of<64>("l1_steps64");

extern const bench::Step step;
const bench::Step step = step_of<8>(
    "l1",
    bench::own_option(
        {.option = "steps", .help = "days of a path", .usual = 8, .others = {{15, &of_15_steps}, {64, &of_64_steps}}}));

}  // namespace lookback::l1
