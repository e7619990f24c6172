// Marsaglia's xorshift with 32 bits of state.
#pragma once

#include <cuda_runtime.h>

namespace pi {

/// Advances `*state` and returns it: three shifts, three exclusive ors, shifts (13, 17, 5), period 2^32 - 1, never 0.
/// Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
__host__ __device__ __forceinline__ unsigned xorshift32(unsigned* state) {
    unsigned x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

/// `hash`, or a fixed other state where it is 0, the one state that xorshift never leaves.
__host__ __device__ __forceinline__ unsigned xorshift32_state(unsigned hash) { return hash != 0 ? hash : 0x9e3779b9u; }

}  // namespace pi
