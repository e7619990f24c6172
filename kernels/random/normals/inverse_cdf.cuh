// One random word becomes one normal: the inverse of the normal distribution function. It grows with the word, so points
// that are spread evenly stay so.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

#include "kernels/random/normals/box_muller.cuh"
#include "kernels/random/normals/xu.cuh"

namespace rng {

/// The normal z for which the distribution function is (word + 1/2) / 2^32. |z| is at most 6.34.
///
/// Its tail has the probability t = 2^-y <= 1/2, which a float holds to 24 bits however small it is. With r = sqrt(y),
/// |z| = P(r) / r, where P has degree 9: a minimax fit (Remez) for 1 <= y <= 33 with the weight 1 / (1 + |z|) and an error
/// of 1.2e-6 by that measure, 1.9e-6 with its roundings. Of forms with this error it is the shortest that was found: one
/// form for center and tails, and 1 / r is what the XU computes. Giles' form ("Approximating the erfinv function", GPU
/// Computing Gems, 2011) has a second polynomial for the tails, which in most warps some thread would need.
/// It is multiplied by `scale`, which is known when the kernel is compiled.
__host__ __device__ __forceinline__ float inverse_cdf(unsigned word, double scale = 1) {
    const float tail = fmaf(static_cast<float>(static_cast<int>(word)), 0x1p-32f, 0x1p-33f);  // negative above 1/2
    const float minus_y = xu_log2_of_magnitude(tail);
    const float inverse_r = xu_rsqrt_of_negative(minus_y);
    const float x = minus_y * inverse_r;  // -r
    float p = static_cast<float>(-3.956304681e-6 * scale);
    p = fmaf(p, x, static_cast<float>(-1.249193156e-4 * scale));
    p = fmaf(p, x, static_cast<float>(-1.728284406e-3 * scale));
    p = fmaf(p, x, static_cast<float>(-1.381531917e-2 * scale));
    p = fmaf(p, x, static_cast<float>(-7.095438242e-2 * scale));
    p = fmaf(p, x, static_cast<float>(-2.471023649e-1 * scale));
    p = fmaf(p, x, static_cast<float>(-6.048585176e-1 * scale));
    p = fmaf(p, x, static_cast<float>(-2.267849684 * scale));
    p = fmaf(p, x, static_cast<float>(-1.688957334 * scale));
    p = fmaf(p, x, static_cast<float>(1.623909175e-1 * scale));
    return with_sign_of(word, p * inverse_r);
}

}  // namespace rng
