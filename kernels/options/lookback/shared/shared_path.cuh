// The path in shared memory: steps l0 and l1.
#pragma once

#include <cstddef>

#include "kernels/options/lookback/shared/daily_path.cuh"
#include "kernels/options/lookback/shared/sums.cuh"

namespace lookback {

/// One path, whose prices lie in `prices`, `stride` floats apart: price t of thread i of a block at t * threads + i, so that
/// the threads of a warp use all banks. The memory is volatile. Otherwise nvcc keeps a short path in registers.
template <unsigned steps, typename NextPair>
__host__ __device__ __forceinline__ PathValues shared_path(volatile float* prices, unsigned stride,
                                                           NextPair&& next_pair) {
    const float last = walk<steps>(next_pair, [&](unsigned t, float price) { prices[t * stride] = price; });
    return {payoff<steps>([&](unsigned t) { return prices[t * stride]; }, last), log_return<steps>(last)};
}

/// Dynamic shared memory of a block of threads that each store a path.
template <unsigned steps>
std::size_t bytes_of_paths(unsigned threads) {
    return std::size_t{steps} * threads * sizeof(float);
}

}  // namespace lookback
