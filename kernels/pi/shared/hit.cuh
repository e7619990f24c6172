// The hit rules: is the sample inside the quarter circle?
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace pi {

/// True if (x, y), both in [0, 1], lies in the unit quarter circle. The fused multiply-add is explicit so that host and
/// device round alike: for `x*x + y*y` each compiler would choose.
__host__ __device__ __forceinline__ bool is_hit(float x, float y) { return fmaf(x, x, y * y) <= 1.0f; }

/// The rule of v13: x^2 + (y^2 - 2^64), for the words x and y as whole numbers and a quarter circle of radius 2^32. It
/// needs no scaling, and the sum contains the threshold. Negative means a hit; 0 is no hit. Never NaN.
__host__ __device__ __forceinline__ float folded_distance(unsigned x, unsigned y) {
    constexpr float radius_squared = 18446744073709551616.0f;
    const float fx = static_cast<float>(x), fy = static_cast<float>(y);
    return fmaf(fx, fx, fmaf(fy, fy, -radius_squared));
}

/// The sign bit of folded_distance: 1 for a hit, otherwise 0.
__host__ __device__ __forceinline__ unsigned folded_hit(unsigned x, unsigned y) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(folded_distance(x, y)) >> 31;
#else
    return folded_distance(x, y) < 0 ? 1 : 0;
#endif
}

}  // namespace pi
