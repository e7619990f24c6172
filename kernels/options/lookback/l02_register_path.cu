// Step 2: a path in registers
// Change: as l1, but the prices of a path are in registers.
// Why:    the number of days is known when the kernel is compiled. Unrolled, each price has a register, which costs no
//         instruction; stores, loads and addresses are gone. Predicted: 850 path-steps/ns on an H200.
// Cost:   39.7 instructions per path-step, 4 of them on XU.
// Limit:  the issue slots (843 path-steps/ns), most of which the generator takes. 64 days would need more registers
//         than a thread has beside the rest. Next: fewer instructions and fewer results of XU.
#include "bench/options/own_options.hpp"
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/daily_path.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/sums.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l2 {

using bench::Launch;

constexpr unsigned threads = 512;  // as l1
constexpr unsigned iters = most_iters_of(threads);

template <unsigned steps>
__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::HybridTauswortheDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums<steps> sums;
    for (unsigned i = 0; i < iters; i++) {
        float prices[steps];
        const auto next_pair = [&] { return next_normal_pair(draw); };
        const float last = walk<steps>(next_pair, [&](unsigned t, float price) { prices[t] = price; });
        sums.add(payoff<steps>([&](unsigned t) { return prices[t]; }, last), log_return<steps>(last));
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
        .after = "l1",
        .title = "A path in registers",
        .technique = "prices in registers, days unrolled",
        .lesson = "An array whose indices are known when the kernel is compiled needs no memory.",
        .estimand = bench::means(facts_of({.steps = steps,
                                           .generator = rng::HybridTauswortheDraws::generator.name,
                                           .soundness = bench::Soundness::demonstration,
                                           .float_error = float_error_of_products(steps),
                                           .normals = normals_of_tausworthe})),
        .default_threads = threads,
        .default_iters = iters,
        .loops_from = bench::plain_loops,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<Sums<steps>>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_15_steps = step_of<15>("l2_steps15");

extern const bench::Step step;
const bench::Step step = step_of<8>(
    "l2", bench::own_option({.option = "steps", .help = "days of a path", .usual = 8, .others = {{15, &of_15_steps}}}));

}  // namespace lookback::l2
