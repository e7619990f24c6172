// Box-Muller with the accurate functions of the library. Under --use_fast_math these would become those of the XU.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

#include "kernels/random/normals/box_muller.cuh"

#ifdef __USE_FAST_MATH__
#error "compile this file without --use_fast_math"
#endif

namespace rng {

/// r of all 32 bits of a word.
__host__ __device__ __forceinline__ float accurate_radius(unsigned word) {
    return sqrtf(-2.0f * logf(open_unit(word)));
}

/// Sine and cosine of the angle 2 pi word / 2^32, taken in [-pi, pi].
__host__ __device__ __forceinline__ NormalPair accurate_direction(unsigned word) {
    NormalPair d;
    sincosf(angle_of(word), &d.sine, &d.cosine);
    return d;
}

/// Box-Muller. Each normal is within 3e-7 (1 + |z|) of the exact one.
__host__ __device__ __forceinline__ NormalPair accurate_pair(unsigned radius_word, unsigned angle_word) {
    const float r = accurate_radius(radius_word);
    const NormalPair d = accurate_direction(angle_word);
    return {r * d.sine, r * d.cosine};
}

}  // namespace rng
