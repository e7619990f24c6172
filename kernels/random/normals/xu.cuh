// Functions of the special function unit, the XU: one result each, less exact than the library's, results below the
// normal floats flushed to 0. On the host, which has no XU, they are the exact functions rounded.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace rng {

/// Binary logarithm of x >= 0.
__host__ __device__ __forceinline__ float xu_log2(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return static_cast<float>(std::log2(static_cast<double>(x)));
#endif
}

/// The same of |x|. The XU takes the magnitude without an instruction, but nvcc uses that only for a magnitude that flushes
/// nothing, as in this PTX.
__host__ __device__ __forceinline__ float xu_log2_of_magnitude(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("{.reg .f32 magnitude; abs.f32 magnitude, %1; lg2.approx.ftz.f32 %0, magnitude;}" : "=f"(y) : "f"(x));
    return y;
#else
    return xu_log2(std::fabs(x));
#endif
}

/// 2^x.
__host__ __device__ __forceinline__ float xu_exp2(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return static_cast<float>(std::exp2(static_cast<double>(x)));
#endif
}

/// Square root of x >= 0.
__host__ __device__ __forceinline__ float xu_sqrt(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return static_cast<float>(std::sqrt(static_cast<double>(x)));
#endif
}

/// The same of -x, x <= 0. The XU negates without an instruction, likewise.
__host__ __device__ __forceinline__ float xu_sqrt_of_negative(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("{.reg .f32 negative; neg.f32 negative, %1; sqrt.approx.ftz.f32 %0, negative;}" : "=f"(y) : "f"(x));
    return y;
#else
    return xu_sqrt(-x);
#endif
}

/// The same of |x|, likewise.
__host__ __device__ __forceinline__ float xu_sqrt_of_magnitude(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("{.reg .f32 magnitude; abs.f32 magnitude, %1; sqrt.approx.ftz.f32 %0, magnitude;}" : "=f"(y) : "f"(x));
    return y;
#else
    return xu_sqrt(std::fabs(x));
#endif
}

/// 1 over the square root of -x, x < 0.
__host__ __device__ __forceinline__ float xu_rsqrt_of_negative(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("{.reg .f32 negative; neg.f32 negative, %1; rsqrt.approx.ftz.f32 %0, negative;}" : "=f"(y) : "f"(x));
    return y;
#else
    return static_cast<float>(1 / std::sqrt(-static_cast<double>(x)));
#endif
}

/// Sine of x radians. The error is absolute, and smallest in [-pi, pi].
__host__ __device__ __forceinline__ float xu_sin(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("sin.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return static_cast<float>(std::sin(static_cast<double>(x)));
#endif
}

/// Cosine of x radians. Its error is as the sine's.
__host__ __device__ __forceinline__ float xu_cos(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("cos.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return static_cast<float>(std::cos(static_cast<double>(x)));
#endif
}

}  // namespace rng
