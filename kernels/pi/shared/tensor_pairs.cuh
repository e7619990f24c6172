// The samples of v16t: a warp draws 16 x and 8 y for each of four groups, and combines every x of a group with every y of
// the same group.
#pragma once

#include <cuda_runtime.h>

namespace pi {

// A step takes 16 samples per thread, four from each group. Two steps take three words per thread: each half of the first
// two words is an x, and the halves of the third word are the y of the two steps.
inline constexpr unsigned tensor_step_samples = 16;
inline constexpr unsigned tensor_groups = 4;
inline constexpr unsigned tensor_words = 3;  // of two steps

/// Number of values of a coordinate. Value k is (2 k + 1) / 2048.
inline constexpr unsigned tensor_places = 1024;

/// Where the x and y of a sample come from: the lanes that drew them, and the half of the word that is the x.
struct TensorSample {
    unsigned lane_of_x, half_of_x, lane_of_y;
};

/// Sample `i` of a step of the thread in `lane`: element i % 4 of the product of group i / 4. Its row is lane / 4, plus 8
/// for elements 2 and 3. Its column is 2 (lane % 4), plus 1 for elements 1 and 3 (PTX ISA, "Matrix fragments for
/// mma.m16n8k8 with floating point type"). In group q, rows r and r + 8 are the two x of lane 4 r + q, and column c is the
/// y of lane 4 c + q.
__host__ __device__ inline TensorSample tensor_sample(unsigned lane, unsigned i) {
    const unsigned group = i / 4, row = lane / 4, column = lane % 4 * 2 + i % 2;
    return {4 * row + group, i / 2 % 2, 4 * column + group};
}

/// Variance of the hits of whole warps with `iters` samples per thread, relative to the binomial variance. Two samples
/// with the same x have the correlation V / (p (1 - p)). Here p = pi/4, and V = 2/3 - p^2 is the variance of sqrt(1 - x^2),
/// the probability of a hit at x. Samples with the same y have the same correlation. In a whole product, of 16 x and 8 y,
/// each sample shares a coordinate with 22 others. The last product of a run may use only the first n of the four elements
/// per thread: 32 n samples, each sharing a coordinate with 6 + 4 n others on average.
inline double tensor_variance_ratio(unsigned iters) {
    constexpr double p = 0.78539816339744831, correlation = (2.0 / 3 - p * p) / (p * (1 - p));
    const unsigned rest = iters % 4, whole = iters - rest;
    return 1 + correlation * (22.0 * whole + rest * (6.0 + 4 * rest)) / iters;
}

}  // namespace pi
