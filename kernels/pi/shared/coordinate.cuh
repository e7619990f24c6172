// Conversions of 32 random bits to a coordinate.
#pragma once

#include <cuda_runtime.h>

#include <climits>

namespace pi {

/// `bits` as a float in [0, 1]. The conversion rounds to 24 bits. (float)UINT_MAX is 2^32, so the division is exact, and
/// the compiler turns it into a multiplication.
__host__ __device__ __forceinline__ float to_unit_interval(unsigned bits) {
    return static_cast<float>(bits) / static_cast<float>(UINT_MAX);
}

/// `bits` as curand_uniform maps them, to (0, 1]: the midpoint of their interval of length 2^-32, rounded to a float.
__host__ __device__ __forceinline__ float to_curand_uniform(unsigned bits) {
    constexpr float ulp = 1.0f / 4294967296.0f;
    return static_cast<float>(bits) * ulp + ulp / 2;
}

/// The upper 23 bits as a float in [0, 1). v11 gets the same value by using them as a mantissa.
__host__ __device__ __forceinline__ float upper_23_bits(unsigned bits) {
    return static_cast<float>(bits >> 9) * (1.0f / (1u << 23));
}

/// The same, moved to the midpoint of the interval of length 2^-23.
__host__ __device__ __forceinline__ float upper_23_bits_centred(unsigned bits) {
    return upper_23_bits(bits) + 1.0f / (1u << 24);
}

}  // namespace pi
