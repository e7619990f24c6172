// The hit rules: is the sample inside the quarter circle?
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace pi {

/// True if (x, y), both in [0, 1], lies in the unit quarter circle. The fused multiply-add is written out so that host
/// and device round alike: `x*x + y*y` leaves the choice to each compiler.
__host__ __device__ __forceinline__ bool is_hit(float x, float y) { return fmaf(x, x, y * y) <= 1.0f; }

/// What is negative for a hit of the words x and y, taken as whole numbers in the quarter circle of radius 2^32: the
/// rule of v13, x^2 + (y^2 - 2^64) without a scale and with the threshold inside the sum. Never NaN; 0 is no hit.
__host__ __device__ __forceinline__ float folded_distance(unsigned x, unsigned y) {
    constexpr float radius_squared = 18446744073709551616.0f;
    const float fx = static_cast<float>(x), fy = static_cast<float>(y);
    return fmaf(fx, fx, fmaf(fy, fy, -radius_squared));
}

/// 1 for a hit of the words by folded_distance, otherwise 0: the sign bit.
__host__ __device__ __forceinline__ unsigned folded_hit(unsigned x, unsigned y) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(folded_distance(x, y)) >> 31;
#else
    return folded_distance(x, y) < 0 ? 1 : 0;
#endif
}

}  // namespace pi
