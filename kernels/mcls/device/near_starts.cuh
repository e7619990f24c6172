// The starts of a block's stratified histories, introduced by v14.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/device/regeneration.cuh"
#include "kernels/mcls/device/strata.cuh"
#include "kernels/mcls/device/tables.cuh"

namespace mcls {

/// Those of `starts` that the histories of a share may choose: a short range. All threads of the block call it.
__device__ __forceinline__ Starts near_starts(const Starts& starts, const Strata& strata, const Share& share) {
    __shared__ std::uint32_t ends[2];
    const std::uint64_t* const last = starts.last;
    for (unsigned i = threadIdx.x; i < 2; i += blockDim.x) {
        const std::uint64_t u = strata.first_of(share.first() + (i == 0 ? 0 : share.size())) - i;
        ends[i] = first_not_below(u, starts.size, [last](std::uint32_t place) { return last[place]; });
    }
    __syncthreads();
    return {ends[1] - ends[0] + 1, starts.last + ends[0], starts.start + ends[0]};
}

/// Most entries of a window. More would leave too little shared memory for two blocks.
inline constexpr std::uint32_t most_in_window = 24 * 1024;

/// How many of n entries a block's window has.
constexpr std::uint32_t window_of(std::uint32_t n) { return n < most_in_window ? n : most_in_window; }

/// The first entry of a window of n entries, with these starts in its middle.
__device__ __forceinline__ std::uint32_t window_first(const Starts& starts, std::uint32_t n, std::uint32_t window) {
    const std::uint32_t first = starts.start[0].state, last = starts.start[starts.size - 1].state;
    const std::uint32_t middle = first + (last - first) / 2;
    const std::uint32_t before = middle < window / 2 ? 0 : middle - window / 2;
    return min(before, n - window);
}

}  // namespace mcls
