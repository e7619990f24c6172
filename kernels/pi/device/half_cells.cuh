// The samples of v16: a cell (k, l) of a grid of 32 x 32, and an offset inside the cell that a group of samples shares.
// Lengths in cells: a sample is a hit if (k + ox)^2 + (l + oy)^2 < 32^2.
#pragma once

#include <cuda_runtime.h>

namespace pi {

/// Words of a group: one for its offset, and one for each pair of samples.
inline constexpr unsigned half_group_words = 88;
inline constexpr unsigned half_group_pairs = half_group_words - 1;
inline constexpr unsigned half_group_samples = 2 * half_group_pairs;

/// An offset by its place among 1024 x 1024: ox = (2 x + 1) / 2048.
struct CellOffset {
    unsigned x, y;
};

inline constexpr unsigned offset_places = 1024;

/// The offset of the first samples of a group's pairs.
__host__ __device__ __forceinline__ CellOffset offset_of(unsigned word) {
    return {word % offset_places, (word >> 16) % offset_places};
}

/// The offset (1 - ox, 1 - oy), of the second ones: where the first count too many cells, these count too few.
__host__ __device__ __forceinline__ CellOffset mirrored(CellOffset offset) {
    return {offset_places - 1 - offset.x, offset_places - 1 - offset.y};
}

/// ox^2 + oy^2 in units of 1/64, rounded down.
__host__ __device__ __forceinline__ unsigned squared_offset(CellOffset offset) {
    const unsigned x = 2 * offset.x + 1, y = 2 * offset.y + 1;
    return (x * x + y * y) / (2048 * 2048 / 64);
}

}  // namespace pi
