// Step 11: no integer-to-float conversion
// Change: as v8, but the upper 23 bits of a draw become the mantissa of a float in [1, 2), and 1 is subtracted.
// Why:    on some GPUs a conversion takes a slow pipe; a shift, an or and a subtraction do not. Predicted: a gain if
//         conversions are slow (sm_75, sm_80), none if they run on the ALU pipe (sm_86 and later), where the shift and
//         the or run too.
// Cost:   12.0 instructions per sample, none of them a conversion: shift and or are one, and the subtraction replaces
//         the scaling.
// Limit:  the issue slots and the ALU pipe, as in v8.
// Note:   the hit rule is the usual one, written with the intrinsic that no compiler may contract or split. The
//         coordinates have 23 bits and start at 0, which shifts the expectation (kernels/pi/shared/expectations.hpp).
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v11 {

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
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);

    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = mantissa_to_unit_interval(rng::lcg(&state));
        const float y = mantissa_to_unit_interval(rng::lcg(&state));
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
    .name = "v11",
    .after = "v8",
    .title = "I2F-free conversion",
    .technique = "bits reinterpreted as a float, no conversion",
    .lesson = "A trick that removes an instruction gains only where that instruction was the bottleneck.",
    .estimand = bench::hits({.source = sources::lcg_mantissa}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v11
