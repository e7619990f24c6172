// The sum over a block, introduced by v4.
#pragma once

#include <cuda_runtime.h>

#include "bench/step.hpp"

namespace pi {

inline constexpr int warp_size = 32;
inline constexpr int max_warps_per_block = 1024 / warp_size;

/// Adds `mine` over the block's threads and stores the sum in `*total`. All threads of the block call it; blockDim.x is
/// a multiple of 32.
__device__ __forceinline__ void store_block_sum(bench::Count mine, bench::Count* total) {
    for (int offset = warp_size / 2; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(0xffffffffu, mine, offset);
    }
    __shared__ bench::Count warp_totals[max_warps_per_block];
    if (threadIdx.x % warp_size == 0) {
        warp_totals[threadIdx.x / warp_size] = mine;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        bench::Count sum = 0;
        for (unsigned warp = 0; warp < blockDim.x / warp_size; warp++) {
            sum += warp_totals[warp];
        }
        *total = sum;
    }
}

}  // namespace pi
