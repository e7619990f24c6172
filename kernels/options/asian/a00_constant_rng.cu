// Step 0: constant numbers
// Change: none, the control of a2. All normals z_a are one number and all z_b another, and every path is the same.
// Why:    the time of a2 less that of this step is the time of the random numbers. Predicted: 2,000 path-steps/ns on an
//         H200.
// Cost:   13.8 instructions per path-step, two of them on XU: the exponentials.
// Limit:  XU: 2,091 path-steps/ns.
// Note:   the normals of a step are those of the step before times an argument of the kernel, which is 1. Otherwise the
//         compiler computes one path only.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/paths.cuh"

namespace asian::a0 {

using bench::Launch;

constexpr unsigned steps = 256;
constexpr unsigned threads = 256;  // as in the source
constexpr unsigned iters = 64;
constexpr double z_a = -1 / 8.0, z_b = -1 / 16.0;

/// `one` is 1, but the compiler does not know it. So it cannot know that all steps and paths are the same.
__global__ void __launch_bounds__(threads) price(bench::Count* counts, unsigned iters, float one) {
    rng::NormalPair z = {z_b, z_a};
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        PricePath<steps> path;
#pragma unroll 8
        for (unsigned t = 0; t < steps; t++) {
            z = {z.sine * one, z.cosine * one};
            path.step(z);
        }
        add_path(&sums, path.excess());
    }
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, 1.0f);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a0",
    .title = "Constant numbers",
    .technique = "the path of a2 without random numbers",
    .lesson = "What a path costs without its random numbers shows what they cost.",
    .estimand = bench::means(constant_price(steps, z_a, z_b)),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums>,
    .phases = {{"price", launch}},
};

}  // namespace asian::a0
