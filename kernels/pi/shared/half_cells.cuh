// The samples of v16: a cell (k, l) of a 32 x 32 grid, and an offset (ox, oy) inside the cell. A group of samples shares
// the offset. With lengths in cells, a sample is a hit if (k + ox)^2 + (l + oy)^2 < 32^2.
#pragma once

#include <cuda_runtime.h>

namespace pi {

/// A group takes one word for its offset, and one for each pair of samples.
inline constexpr unsigned half_group_words = 88;
inline constexpr unsigned half_group_pairs = half_group_words - 1;
inline constexpr unsigned half_group_samples = 2 * half_group_pairs;

/// One of 1024 x 1024 offsets: ox = (2 x + 1) / 2048, and oy likewise.
struct CellOffset {
    unsigned x, y;
};

inline constexpr unsigned offset_places = 1024;

/// The offset of the first sample of each pair in a group.
__host__ __device__ __forceinline__ CellOffset offset_of(unsigned word) {
    return {word % offset_places, (word >> 16) % offset_places};
}

/// The offset (1 - ox, 1 - oy) of the second sample of each pair. Where the first offset counts too many cells, this one
/// counts too few.
__host__ __device__ __forceinline__ CellOffset mirrored(CellOffset offset) {
    return {offset_places - 1 - offset.x, offset_places - 1 - offset.y};
}

/// ox^2 + oy^2 in units of 1/64, rounded down.
__host__ __device__ __forceinline__ unsigned squared_offset(CellOffset offset) {
    const unsigned x = 2 * offset.x + 1, y = 2 * offset.y + 1;
    return (x * x + y * y) / (2048 * 2048 / 64);
}

}  // namespace pi
