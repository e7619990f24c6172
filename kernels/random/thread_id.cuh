// A thread's place in a one-dimensional grid, in 64 bits: a grid may have more than 2^32 threads.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace rng {

/// Number of this thread in the grid: t.
__device__ __forceinline__ std::uint64_t grid_thread() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Threads of the grid: T.
__device__ __forceinline__ std::uint64_t grid_threads() { return std::uint64_t{gridDim.x} * blockDim.x; }

/// This thread's cuRAND subsequence in launch number `launch`: k*T + t. No two launches of a run share a subsequence.
__device__ __forceinline__ unsigned long long subsequence(std::uint64_t launch) {
    return launch * grid_threads() + grid_thread();
}

}  // namespace rng
