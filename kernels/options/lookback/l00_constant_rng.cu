// Step 0: constant numbers
// Change: none, the control of l1. Every normal is -1/8, and every path the same.
// Why:    the difference between l1 and this step is the time of the random numbers. Predicted: 1,700 path-steps/ns on
//         an H200.
// Cost:   18.7 instructions per path-step, two of them on XU: a root and an exponential.
// Limit:  the issue slots (1,790 path-steps/ns), then XU (2,091).
// Note:   each normal is the one before times an argument of the kernel, which is 1. Otherwise nvcc computes one path only.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/shared_path.cuh"

namespace lookback::l0 {

using bench::Launch;

constexpr unsigned steps = 8;      // T, as in the source
constexpr unsigned threads = 512;  // as in the source
constexpr unsigned iters = most_iters_of(threads);

/// `one` is 1, but nvcc does not know it. So it cannot know that all paths are the same.
__global__ void __launch_bounds__(threads) price(bench::Count* counts, unsigned iters, float one) {
    extern __shared__ float prices[];
    float z = static_cast<float>(constant_normal);
    const auto next_pair = [&] {
        const float first = z * one;
        z = first * one;
        return rng::NormalPair{first, z};
    };
    Sums<steps> sums;
    for (unsigned i = 0; i < iters; i++) {
        const PathValues path = shared_path<steps>(prices + threadIdx.x, blockDim.x, next_pair);
        sums.add(path.payoff, path.log_return);
    }
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, bytes_of_paths<steps>(l.shape.threads), l.stream>>>(l.counts, l.iters,
                                                                                                 1.0f);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "l0",
    .title = "Constant numbers",
    .technique = "the path of l1 without random numbers",
    .lesson = "What a path costs without its random numbers shows what they cost.",
    .estimand = bench::means(constant_facts(steps)),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(price),
    .dynamic_shared_bytes = bytes_of_paths<steps>,
    .counts = counts_of<Sums<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l0
