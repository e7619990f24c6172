// Counts hits that are masks in the halves of words.
#pragma once

#include <cuda_runtime.h>

namespace pi {

/// The number of masks in words whose sum modulo 2^32 is `sum`. Each half of a word is a mask, 0xffff, or 0. Let `low` be
/// the number of masks in lower halves and `high` that in upper halves, both below 2^16. Then the sum is
/// 2^16 (low - high) - low, and -(2^16 + 1) times the sum is 2^16 high + low.
__host__ __device__ __forceinline__ unsigned masks_in_sum(unsigned sum) {
    const unsigned both = sum * -0x10001u;
    return (both >> 16) + (both & 0xffffu);
}

}  // namespace pi
