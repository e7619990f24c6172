// Marsaglia's xorshift with 32 bits of state.
#pragma once

#include <cuda_runtime.h>

namespace rng {

/// Advances `*state` and returns it, with the shifts (13, 17, 5). The period is 2^32 - 1; the state is never 0. Marsaglia,
/// "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
__host__ __device__ __forceinline__ unsigned xorshift32(unsigned* state) {
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

/// Returns `hash`, but a fixed other state if it is 0, because xorshift never leaves 0.
__host__ __device__ __forceinline__ unsigned xorshift32_state(unsigned hash) { return hash != 0 ? hash : 0x9e3779b9u; }

}  // namespace rng
