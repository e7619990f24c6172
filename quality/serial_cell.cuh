// The cells of the serial test.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace quality {

/// 256 x 256: the leading 8 bits of two words.
inline constexpr unsigned serial_cells = 1 << 16;

/// The cell of a pair of words.
__host__ __device__ constexpr unsigned serial_cell(std::uint32_t first, std::uint32_t second) {
    return first >> 24 << 8 | second >> 24;
}

}  // namespace quality
