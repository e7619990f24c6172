// Windows of tallies around the starts of a block's histories, introduced by v15.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/regeneration.cuh"

namespace mcls {

/// Most entries of a window. More would leave two blocks little of L1 for their rows.
inline constexpr std::uint32_t most_in_window = 24 * 1024;

/// How many of n entries a block's window has.
constexpr std::uint32_t window_of(std::uint32_t n) { return n < most_in_window ? n : most_in_window; }

/// The first entry of a window of this size, with the starts of the share in its middle.
template <class Method>
__device__ __forceinline__ std::uint32_t window_first(const Method& method, const Share& share, std::uint32_t window) {
    const std::uint32_t first = method.starts(method.strata.first_of(share.first())).state;
    const std::uint32_t last = method.starts(method.strata.first_of(share.first() + share.size()) - 1).state;
    const std::uint32_t middle = first + (last - first) / 2;
    const std::uint32_t before = middle < window / 2 ? 0 : middle - window / 2;
    return min(before, method.rows.n - window);
}

}  // namespace mcls
