// Ablation of step 11: xorshift32 instead of the LCG
// Change: as v11, but the bits come from the generator of v7. The source says that it tried this and found it slower.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"
#include "kernels/random/xorshift32.cuh"

namespace pi::v11_xorshift32 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;     // the most a block may have
constexpr unsigned one = 0x3f800000u;  // the bits of 1.0f: sign 0, exponent 127, mantissa 0
constexpr unsigned mantissa_shift = 32 - 23;

__device__ __forceinline__ float mantissa_to_unit_interval(unsigned bits) {
    return __uint_as_float(one | (bits >> mantissa_shift)) - 1.0f;
}

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    unsigned state = rng::xorshift32_state(rng::stream_seed(seed, launch, rng::grid_thread(), 0));

    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = mantissa_to_unit_interval(rng::xorshift32(&state));
        const float y = mantissa_to_unit_interval(rng::xorshift32(&state));
        local += __fmaf_rn(x, x, y * y) <= 1.0f ? 1 : 0;
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v11_xorshift32",
    .after = "v11",
    .title = "v11, xorshift32",
    .technique = "xorshift32 with the conversion of v11",
    .lesson = "Which generator v11 should have: three shifts and three XORs, or a multiply-add.",
    .estimand = bench::hits({.source = sources::xorshift32_mantissa}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v11_xorshift32
