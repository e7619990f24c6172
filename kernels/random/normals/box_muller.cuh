// Two random words become two independent normals: Box and Muller, "A note on the generation of random normal deviates",
// Annals of Mathematical Statistics 29, 1958. The normals are r sin(angle) and r cos(angle), where r^2 = -2 ln u.
//
// No word gives u = 0: u is the midpoint of the interval that the word stands for. So r is at most 6.77.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

#include "kernels/random/normals/xu.cuh"

namespace rng {

/// Two independent normals: r sin(angle) and r cos(angle). Or the sine and the cosine alone, r = 1.
struct NormalPair {
    float sine, cosine;
};

/// -2 ln 2: it makes a natural logarithm, times -2, of a binary one.
inline constexpr float minus_two_ln_2 = -1.3862943611198906f;

/// u of all 32 bits of a word, in (0, 1]: (word + 1/2) / 2^32 rounded. It is 1 for one word in 2^25.
__host__ __device__ __forceinline__ float open_unit(unsigned word) {
    return fmaf(static_cast<float>(word), 0x1p-32f, 0x1p-33f);
}

/// r^2 = -2 ln u: an exponential number of mean 2.
__host__ __device__ __forceinline__ float radius_squared(unsigned word) {
    return minus_two_ln_2 * xu_log2(open_unit(word));
}

/// The angle 2 pi word / 2^32, taken in [-pi, pi].
__host__ __device__ __forceinline__ float angle_of(unsigned word) {
    constexpr float unit = 1.4629180792671596e-09f;  // pi / 2^31
    return static_cast<float>(static_cast<int>(word)) * unit;
}

/// Its sine and cosine, on XU.
__host__ __device__ __forceinline__ NormalPair direction(unsigned word) {
    const float angle = angle_of(word);
    return {xu_sin(angle), xu_cos(angle)};
}

/// Box-Muller on XU: four results a pair.
__host__ __device__ __forceinline__ NormalPair normal_pair(unsigned radius_word, unsigned angle_word) {
    const float r = xu_sqrt(radius_squared(radius_word));
    const NormalPair d = direction(angle_word);
    return {r * d.sine, r * d.cosine};
}

// The same with a sine and a cosine that are polynomials on the FMA pipe. The word of the angle gives an angle in
// [-pi/2, pi/2] only, so nothing is swapped and no octant is found. The other half of the circle has the other sign of the
// cosine. That sign is the uppermost bit of the word of the radius, whose u comes from the other 31 bits: the word is
// taken as a number with a sign, and u is the magnitude.

/// v = (word + 1/2) / 2^31 rounded, with the word taken as a signed number: in [-1, 1] and never 0.
__host__ __device__ __forceinline__ float signed_unit(unsigned word) {
    return fmaf(static_cast<float>(static_cast<int>(word)), 0x1p-31f, 0x1p-32f);
}

/// log2 u = log2 |v|, which is -r^2 / (2 ln 2).
__host__ __device__ __forceinline__ float log2_of_31_bits(unsigned word) {
    return xu_log2_of_magnitude(signed_unit(word));
}

/// x, negated if the uppermost bit of the word is 1.
__host__ __device__ __forceinline__ float with_sign_of(unsigned word, float x) {
    const unsigned sign = word & 0x80000000u;
#ifdef __CUDA_ARCH__
    return __uint_as_float(__float_as_uint(x) ^ sign);
#else
    return sign ? -x : x;
#endif
}

/// The angle pi word / 2^32, the word taken as a signed number, in [-pi/2, pi/2]. Here it is y = 2 angle / pi, in [-1, 1].
__host__ __device__ __forceinline__ float half_angle(unsigned word) {
    return static_cast<float>(static_cast<int>(word)) * 0x1p-31f;
}

/// `scale` sqrt(2 ln 2) times sin(angle) / y and times cos(angle) >= 0, of q = y^2. `scale` is known when the kernel is
/// compiled.
///
/// Minimax polynomials (Remez): sin(angle) has degree 7 and an error of 6.94e-7, cos(angle) has degree 8 and an error of
/// 5.5e-8. sqrt(2 ln 2) is in their coefficients, so that r may be the square root of -log2 u. `Real` is a float, or several
/// in a vector register of a CPU, whose fmaf is found in its namespace.
template <typename Real>
__host__ __device__ __forceinline__ Real sine_factor(Real q, double scale) {
    const auto c0 = static_cast<float>(1.8494651 * scale), c1 = static_cast<float>(-7.6048070e-1 * scale);
    const auto c2 = static_cast<float>(9.3526796e-2 * scale), c3 = static_cast<float>(-5.101830e-3 * scale);
    return fmaf(fmaf(fmaf(c3, q, c2), q, c1), q, c0);
}
template <typename Real>
__host__ __device__ __forceinline__ Real half_cosine(Real q, double scale) {
    const auto c0 = static_cast<float>(1.1774100 * scale), c1 = static_cast<float>(-1.4525687 * scale);
    const auto c2 = static_cast<float>(2.9865092e-1 * scale), c3 = static_cast<float>(-2.4502640e-2 * scale);
    const auto c4 = static_cast<float>(1.0104423e-3 * scale);
    return fmaf(fmaf(fmaf(fmaf(c4, q, c3), q, c2), q, c1), q, c0);
}

/// sqrt(2 ln 2) r sin(angle) and sqrt(2 ln 2) r cos(angle) >= 0.
__host__ __device__ __forceinline__ NormalPair scaled_half_direction(float r, unsigned word) {
    const float y = half_angle(word);
    const float q = y * y;
    return {r * y * sine_factor(q, 1), r * half_cosine(q, 1)};
}

/// Box-Muller with polynomials: two results of XU a pair.
__host__ __device__ __forceinline__ NormalPair polynomial_pair(unsigned radius_word, unsigned angle_word) {
    const NormalPair z = scaled_half_direction(xu_sqrt_of_negative(log2_of_31_bits(radius_word)), angle_word);
    return {z.sine, with_sign_of(radius_word, z.cosine)};
}

/// Pair number i of a loop that is unrolled: two in three by polynomials, so that XU and the issue slots are busy alike.
__host__ __device__ __forceinline__ NormalPair two_pipe_pair(unsigned i, unsigned radius_word, unsigned angle_word) {
    return i % 3 == 0 ? normal_pair(radius_word, angle_word) : polynomial_pair(radius_word, angle_word);
}

}  // namespace rng
