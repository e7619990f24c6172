// Linear congruential generators modulo 2^32: one multiply-add per draw, period 2^32.
#pragma once

#include <cuda_runtime.h>

namespace rng {

/// Advances `*state` and returns it. The constants are Knuth's and H. W. Lewis's: Press et al., "Numerical Recipes",
/// section 7.1, "an even quicker generator".
__host__ __device__ __forceinline__ unsigned lcg(unsigned* state) {
    *state = 1664525u * *state + 1013904223u;
    return *state;
}

/// The same with the constants of glibc's and the BSDs' rand() (ISO C's example generator).
__host__ __device__ __forceinline__ unsigned lcg_glibc(unsigned* state) {
    *state = 1103515245u * *state + 12345u;
    return *state;
}

}  // namespace rng
