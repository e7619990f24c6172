// The hit rule: is the sample inside the quarter circle?
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace pi {

/// True if (x, y), both in [0, 1], lies in the unit quarter circle. The fused multiply-add is written out so that host
/// and device round alike: `x*x + y*y` leaves the choice to each compiler.
__host__ __device__ __forceinline__ bool is_hit(float x, float y) { return fmaf(x, x, y * y) <= 1.0f; }

}  // namespace pi
