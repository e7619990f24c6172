// The squares of two independent normals, from two words: step l3.
#pragma once

#include <cuda_runtime.h>

#include "kernels/random/normals/box_muller.cuh"

namespace lookback {

/// A2 = 1/16 times the squares of two independent normals. The signs of the normals are the upper bits of the two words.
struct SquaredPair {
    float first, second;
};

/// A2 r^2 of a binary logarithm: -2 ln 2 / 16.
inline constexpr float square_of_log2 = -0.0866433978f;

/// square_of_log2 times the cosine squared of pi/2 v, of y = v^2. `Real` as in rng::half_cosine.
///
/// The polynomial is 1 at 0 and 0 at 1, and gives z1^2 and z2^2 the mean 1 and |z1| + |z2| its mean too, on which a price
/// depends most. Among those of degree 10 in v it has the least error, 5.9e-7.
template <typename Real>
__host__ __device__ __forceinline__ Real cosine_squared(Real y) {
    const Real upper = fmaf(fmaf(8.88666546e-4f, y, -9.94341355e-3f), y, 5.77174388e-2f);
    return fmaf(fmaf(fmaf(upper, y, -1.75801128e-1f), y, 2.13781834e-1f), y, square_of_log2);
}

/// Box-Muller without a root: z1^2 = r^2 cos^2 and z2^2 = r^2 - z1^2. The angle is pi/2 times v = word / 2^31, the word taken
/// as a signed number, and its cosine squared an even polynomial in v.
__host__ __device__ __forceinline__ SquaredPair squared_normals(unsigned radius_word, unsigned angle_word) {
    const float log2_u = rng::log2_of_31_bits(radius_word);
    const float v = rng::half_angle(angle_word);
    const float first = log2_u * cosine_squared(v * v);
    return {first, fmaf(log2_u, square_of_log2, -first)};
}

}  // namespace lookback
