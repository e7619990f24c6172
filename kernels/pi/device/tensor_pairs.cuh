// The samples of v16t: a warp draws 16 x and 8 y for each of four groups, and every x of a group meets every y of it.
#pragma once

#include <cuda_runtime.h>

namespace pi {

// A step takes 16 samples a thread, four of each group. Two steps take three words a thread: two x from each of the first
// two, one for each half of a word, and a y for either step from the third.
inline constexpr unsigned tensor_step_samples = 16;
inline constexpr unsigned tensor_groups = 4;
inline constexpr unsigned tensor_words = 3;  // of two steps

/// Values of a coordinate: number k is (2 k + 1) / 2048.
inline constexpr unsigned tensor_places = 1024;

/// The x and the y of a sample: the lanes of the warp that drew them, and which half of its word the x is.
struct TensorSample {
    unsigned lane_of_x, half_of_x, lane_of_y;
};

/// Sample `i` of a step of the thread in `lane`: element i % 4 of the product of group i / 4, in row lane / 4, 8 below it
/// for 2 and 3, and in column 2 (lane % 4), one to the right for 1 and 3 (PTX ISA, "Matrix fragments for mma.m16n8k8 with
/// floating point type"). In group q row r and row r + 8 are the two x of lane 4 r + q, and column c is its y of lane
/// 4 c + q.
__host__ __device__ inline TensorSample tensor_sample(unsigned lane, unsigned i) {
    const unsigned group = i / 4, row = lane / 4, column = lane % 4 * 2 + i % 2;
    return {4 * row + group, i / 2 % 2, 4 * column + group};
}

/// Variance of the hits of whole warps, relative to the binomial's, of `iters` samples a thread. Two samples with the same x
/// are correlated by V / (p (1 - p)), where p = pi/4 and V = 2/3 - p^2 is the variance of the probability sqrt(1 - x^2)
/// that x is hit with; with the same y likewise. Of a whole product, 16 x and 8 y, each sample shares a coordinate with 22
/// others. The last product of a run may have only the first n of its four elements a thread: 32 n samples, of which each
/// shares one with 6 + 4 n others on average.
inline double tensor_variance_ratio(unsigned iters) {
    constexpr double p = 0.78539816339744831, correlation = (2.0 / 3 - p * p) / (p * (1 - p));
    const unsigned rest = iters % 4, whole = iters - rest;
    return 1 + correlation * (22.0 * whole + rest * (6.0 + 4 * rest)) / iters;
}

}  // namespace pi
