// Step 16t: all pairs on the tensor cores
// Change: as v16, but a warp tests 16 x against 8 y at once, all 128 pairs, as the matrix product of (x^2, 1) and (1,
//         y^2), less the squared radius. A square takes two halves, the part that fits into one and the rest, so the
//         product is exact. Coordinates have 11 bits, 10 of them random.
// Why:    most of this GPU's arithmetic is in the tensor cores, and 24 coordinates for 128 samples leave the generator
//         almost nothing to do. Predicted: 12,000 samples/ns on an H200, and no gain. The sums come back in registers,
//         and looking at their signs takes 0.75 instructions per sample. And samples that share coordinates carry less
//         information. With p = pi/4, Vx = Vy = 2/3 - p^2, the variance that x alone explains, and the rest Vxy = p (1
//         - p) - Vx - Vy, the hits of 128 pairs have 128 (Vx / 16 + Vy / 8 + Vxy / 128) / (p (1 - p)) = 7.5 times the
//         binomial's variance: 1,600 samples/ns are effective, fewer than v8's.
// Cost:   2.44 instructions per sample, half of one a matrix product.
// Limit:  latency of dependent instructions: a warp waits for the sums of its matrix products. Nothing follows: samples
//         of a larger product depend on each other still more.
// Note:   four groups of lanes, one lane in four, use up the coordinates of a warp. A matrix of ones and zeros selects
//         a group, so that no coordinate moves: one product adds y^2, a second one x^2.
#include <cuda_fp16.h>

#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/mask_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/shared/tensor_pairs.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v16t {

using bench::Count;
using bench::Launch;

constexpr unsigned max_threads = 1024;
constexpr unsigned threads = 256;
constexpr unsigned unrolled = 11;  // pairs of steps, 3 words each: three rounds of the generator's 11 words
constexpr unsigned samples_of_two_steps = 2 * tensor_step_samples;
constexpr unsigned samples_of_trip = unrolled * samples_of_two_steps;

// Two equal halves each.
constexpr unsigned two_to_15 = 0x78007800;
constexpr unsigned two_to_minus_10 = 0x14001400;
constexpr unsigned ones = 0x3c003c00;

__device__ __forceinline__ __half2 as_halves(unsigned bits) { return reinterpret_cast<const __half2&>(bits); }
__device__ __forceinline__ unsigned bits_of(__half2 halves) { return reinterpret_cast<const unsigned&>(halves); }

/// A row or a column: the two halves whose sum is the square of a coordinate.
struct Squares {
    unsigned lower, upper;  // of the coordinates that a word's halves name
};

/// A coordinate in [0, 2): ten bits of a half are k 2^-24, a subnormal number, and it is (2 k + 1) 2^-10.
__device__ __forceinline__ Squares squares_of(unsigned word) {
    const __half2 x = __hfma2(as_halves(word & 0x03ff03ff), as_halves(two_to_15), as_halves(two_to_minus_10));
    const __half2 square = __hmul2_rn(x, x);
    const __half2 left = __hfma2(x, x, __hneg2(square));
    return {__byte_perm(bits_of(square), bits_of(left), 0x5410), __byte_perm(bits_of(square), bits_of(left), 0x7632)};
}

/// Four elements of a product of 16 x 8.
struct Elements {
    float of[4];
};

/// `to` plus the product of `rows`, 16 of them, and `column`, 8 of them (m16n8k8).
__device__ __forceinline__ Elements add_product(Squares rows, unsigned column, const Elements& to) {
    Elements sum;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(sum.of[0]), "=f"(sum.of[1]), "=f"(sum.of[2]), "=f"(sum.of[3])
        : "r"(rows.lower), "r"(rows.upper), "r"(column), "f"(to.of[0]), "f"(to.of[1]), "f"(to.of[2]), "f"(to.of[3]));
    return sum;
}

/// The masks of two samples: 0xffff for a negative distance, otherwise 0. In PTX because __byte_perm repeats no signs.
__device__ __forceinline__ unsigned hit_masks(float first, float second) {
    unsigned masks;  // the sign of the upper byte, twice of each
    asm("prmt.b32 %0, %1, %2, 0xffbb;" : "=r"(masks) : "r"(__float_as_uint(first)), "r"(__float_as_uint(second)));
    return masks;
}

/// The halves of the masks of samples `i` and `i` + 1 that count, where the first `samples` do.
__device__ __forceinline__ unsigned counted(unsigned i, unsigned samples) {
    return (i < samples ? 0x0000ffffu : 0) | (i + 1 < samples ? 0xffff0000u : 0);
}

/// Sum of the masks of a thread's first `samples` samples of a step: of the signs of x^2 + y^2 - 4, which is a whole
/// multiple of 2^-20 and at most 4, so that a float holds it.
__device__ __forceinline__ unsigned sum_of_step(Squares x, unsigned y, const Squares (&selectors)[tensor_groups],
                                                unsigned samples) {
    constexpr Elements minus_radius_squared = {-4, -4, -4, -4};
    Elements distances[tensor_groups];
#pragma unroll
    for (unsigned group = 0; group < tensor_groups; group++) {
        distances[group] = add_product(selectors[group], y, minus_radius_squared);
    }
#pragma unroll
    for (unsigned group = 0; group < tensor_groups; group++) {
        distances[group] = add_product(x, selectors[group].lower, distances[group]);
    }
    unsigned sum = 0;
#pragma unroll
    for (unsigned i = 0; i < tensor_step_samples; i += 2) {
        const float* pair = &distances[i / 4].of[i % 4];
        sum += hit_masks(pair[0], pair[1]) & counted(i, samples);
    }
    return sum;
}

/// The same of two steps, for which the whole warp draws.
__device__ __forceinline__ unsigned sum_of_two_steps(rng::FoldedMrgDraws& draw,
                                                     const Squares (&selectors)[tensor_groups], unsigned samples) {
    const Squares first_x = squares_of(draw());
    const Squares second_x = squares_of(draw());
    const Squares y = squares_of(draw());
    const unsigned samples_of_second = samples > tensor_step_samples ? samples - tensor_step_samples : 0;
    return sum_of_step(first_x, y.lower, selectors, samples) +
           sum_of_step(second_x, y.upper, selectors, samples_of_second);
}

__global__ void __launch_bounds__(max_threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::FoldedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Squares selectors[tensor_groups];
    for (unsigned group = 0; group < tensor_groups; group++) {
        const unsigned mine = threadIdx.x % tensor_groups == group ? ones : 0;
        // A register each, which a plain copy would not be: rows are read as a pair of registers.
        selectors[group] = {mine, __shfl_sync(0xffffffffu, mine, threadIdx.x % 32)};
    }

    Count local = 0;
    for (unsigned i = 0; i < iters / samples_of_trip; i++) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned j = 0; j < unrolled; j++) {
            sum += sum_of_two_steps(draw, selectors, samples_of_two_steps);
        }
        local += masks_in_sum(sum);
    }
    for (unsigned left = iters % samples_of_trip; left > 0; left -= min(left, samples_of_two_steps)) {
        local += masks_in_sum(sum_of_two_steps(draw, selectors, left));
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v16t",
    .after = "v16",
    .title = "Tensor cores",
    .technique = "16 x against 8 y, all pairs in one matrix product",
    .lesson = "What a sample costs is one thing, what it tells another: pairs that share coordinates tell less.",
    .estimand = bench::hits({.source = sources::tensor_pairs,
                             .independent = bench::Independent::counts,
                             .variance_ratio = tensor_variance_ratio}),
    .default_threads = threads,
    .default_iters = 500'000,
    .loops_from = 2 * samples_of_trip - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v16t
