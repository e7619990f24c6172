// Counting by masks: hits that stand in the halves of words.
#pragma once

#include <cuda_runtime.h>

namespace pi {

/// How many halves are masks, of the words that add up to `sum` modulo 2^32: each half of them 0xffff, a mask, or 0. With
/// `low` masks among the lower halves and `high` among the upper ones, fewer than 2^16 each, the sum is 2^16 (low - high) -
/// low, and -(2^16 + 1) times it 2^16 high + low.
__host__ __device__ __forceinline__ unsigned masks_in_sum(unsigned sum) {
    const unsigned both = sum * -0x10001u;
    return (both >> 16) + (both & 0xffffu);
}

}  // namespace pi
