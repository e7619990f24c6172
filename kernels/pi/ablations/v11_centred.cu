// Ablation of step 11: the coordinate in the middle of its interval
// Change: as v11, but 1 - 2^-24 instead of 1 is subtracted from the float in [1, 2). A coordinate of 23 bits names an
//         interval; it now stands in the middle of it and not at its start. Both subtractions are exact. It costs no
//         instruction; kernels/pi/README.md says what becomes of the bias.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v11_centred {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;     // the most a block may have
constexpr unsigned one = 0x3f800000u;  // the bits of 1.0f: sign 0, exponent 127, mantissa 0
constexpr unsigned mantissa_shift = 32 - 23;
constexpr float start = 1.0f - 1.0f / (1u << 24);  // so that bits 0 become 2^-24, half an interval

__device__ __forceinline__ float mantissa_to_middle(unsigned bits) {
    return __uint_as_float(one | (bits >> mantissa_shift)) - start;
}

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);

    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = mantissa_to_middle(rng::lcg(&state));
        const float y = mantissa_to_middle(rng::lcg(&state));
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
    .name = "v11_centred",
    .after = "v11",
    .title = "v11, centred coordinates",
    .technique = "as v11, half an interval further",
    .lesson = "A bias that the sample size will reach one day can cost nothing to move.",
    .estimand = bench::hits({.source = sources::lcg_mantissa_centred}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v11_centred
