// The test of a sample, on both sides.
#pragma once

#include <cstdint>

#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"

namespace arrays {

/// True if the words x and y, as coordinates in (0, 1], lie in the unit quarter circle.
__host__ __device__ __forceinline__ bool is_hit(std::uint32_t x, std::uint32_t y) {
    return pi::is_hit(pi::to_curand_uniform(x), pi::to_curand_uniform(y));
}

}  // namespace arrays
