// Ablation of step 8: a constant instead of a generator
// Change: as v8, but the "random" bits of a sample are the bits of two floats that the sample before it left in
//         registers, which takes no instruction. The point settles near (1/4, 1/4) at once. (A plain constant would be
//         tested once, outside the loop.) The remaining cost is that of conversions, test and count. This is not an
//         estimate of pi: every sample is a hit.
#include "bench/estimands/hits/source.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"

namespace pi::v8_constant {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads) count_hits(Count* totals, unsigned iters) {
    unsigned x_bits = threadIdx.x;
    unsigned y_bits = threadIdx.x;

    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = to_unit_interval(x_bits);
        const float y = to_unit_interval(y_bits);
        const float square = fmaf(x, x, y * y);
        local += square <= 1.0f ? 1 : 0;
        x_bits = __float_as_uint(square);
        y_bits = __float_as_uint(x);
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters);
    return cudaGetLastError();
}

std::uint64_t every_sample(const bench::StreamId&, unsigned iters) { return iters; }

const bench::Source no_source = {
    .name = "none",
    .generator = "none: one point, always a hit",
    .soundness = bench::Soundness::demonstration,
    .expected = {1, 1.0},
    .log2_cycle_samples = 0,
    .replay = every_sample,
};

extern const bench::Step step;
const bench::Step step = {
    .name = "v8_constant",
    .after = "v8",
    .title = "v8, a constant in place of a generator",
    .technique = "no generator: what conversion, test and count cost",
    .lesson = "How fast v8 would be if random bits were free.",
    .estimand = bench::hits({.source = no_source}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v8_constant
