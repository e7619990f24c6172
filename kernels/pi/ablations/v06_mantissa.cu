// Ablation of step 6: the coordinates of v11
// Change: as v6, but a coordinate is made of the upper 23 bits of a word as in v11, instead of by cuRAND's conversion.
//         With a sound generator, only that part of v11's bias is left that comes from its grid of 2^23 x 2^23 points.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v6_mantissa {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;     // the most a block may have
constexpr unsigned one = 0x3f800000u;  // the bits of 1.0f: sign 0, exponent 127, mantissa 0
constexpr unsigned mantissa_shift = 32 - 23;

__device__ __forceinline__ float mantissa_to_unit_interval(unsigned bits) {
    return __uint_as_float(one | (bits >> mantissa_shift)) - 1.0f;
}

__device__ __forceinline__ bool is_hit_of_words(unsigned x_bits, unsigned y_bits) {
    return is_hit(mantissa_to_unit_interval(x_bits), mantissa_to_unit_interval(y_bits));
}

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ Count counter[];
    curandStatePhilox4_32_10_t rng;
    curand_init(seed, rng::subsequence(launch), 0, &rng);

    counter[threadIdx.x] = 0;
    for (unsigned i = 0; i < iters / 4; i++) {
        const uint4 a = curand4(&rng);
        counter[threadIdx.x] += is_hit_of_words(a.x, a.y) ? 1 : 0;
        counter[threadIdx.x] += is_hit_of_words(a.z, a.w) ? 1 : 0;
        const uint4 b = curand4(&rng);
        counter[threadIdx.x] += is_hit_of_words(b.x, b.y) ? 1 : 0;
        counter[threadIdx.x] += is_hit_of_words(b.z, b.w) ? 1 : 0;
    }
    const unsigned remainder = iters % 4;
    for (unsigned i = 0; i < remainder; i += 2) {
        const uint4 a = curand4(&rng);
        counter[threadIdx.x] += is_hit_of_words(a.x, a.y) ? 1 : 0;
        counter[threadIdx.x] += i + 1 < remainder && is_hit_of_words(a.z, a.w) ? 1 : 0;
    }

    store_block_sum(counter[threadIdx.x], &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, bench::one_count_per_thread(l.shape.threads), l.stream>>>(
        l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v6_mantissa",
    .after = "v6",
    .title = "v6, coordinates of v11",
    .technique = "Philox, 23-bit coordinates from the mantissa",
    .lesson = "How much of v11's bias is its coordinate, and how much its generator.",
    .estimand = bench::hits({.source = sources::philox_mantissa}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v6_mantissa
