// Sums over all threads of a grid, in an order that depends on the grid alone: each block publishes its part, and the next
// kernel adds up the parts, in each block.
#pragma once

#include <cuda_runtime.h>

namespace peers {

inline constexpr unsigned sum_threads = 256;  // of a block

/// Several sums, side by side.
template <int n>
struct Sums {
    double of[n];
};

template <int n>
__device__ __forceinline__ void add(Sums<n>& sums, const Sums<n>& more) {
    for (int i = 0; i < n; i++) sums.of[i] += more.of[i];
}

/// The sums of a warp's threads. Each thread gets them, as from the functions below.
template <int n>
__device__ __forceinline__ Sums<n> sums_of_warp(Sums<n> mine) {
    for (int i = 0; i < n; i++) {
        for (int offset = 16; offset > 0; offset /= 2) {
            mine.of[i] += __shfl_xor_sync(0xffffffffu, mine.of[i], offset);
        }
    }
    return mine;
}

/// The sums of a block's threads.
template <int n>
__device__ Sums<n> sums_of_block(Sums<n> mine) {
    constexpr unsigned warps = sum_threads / 32;
    __shared__ Sums<n> of_warps[warps];
    mine = sums_of_warp(mine);
    __syncthreads();  // the sums before may still be read
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    Sums<n> all = of_warps[0];
    for (unsigned warp = 1; warp < warps; warp++) add(all, of_warps[warp]);
    return all;
}

template <int n>
__device__ void publish(Sums<n>* parts, const Sums<n>& mine) {
    const Sums<n> sums = sums_of_block(mine);
    if (threadIdx.x == 0) parts[blockIdx.x] = sums;
}

/// The sums of the grid whose `blocks` blocks published these parts.
template <int n>
__device__ Sums<n> sums_of_grid(const Sums<n>* parts, unsigned blocks) {
    Sums<n> mine = {};
    for (unsigned block = threadIdx.x; block < blocks; block += sum_threads) add(mine, parts[block]);
    return sums_of_block(mine);
}

}  // namespace peers
