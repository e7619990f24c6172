// Bit planes to lanes.
#pragma once

#include <array>
#include <cstdint>

namespace quality {

/// Words a lane or a plane of 32 x 32 bits.
using BitMatrix = std::array<std::uint32_t, 32>;

/// The lanes of 32 successive bit planes: bit l of plane n becomes bit 31 - n of lane l, so that a lane's first bit
/// leads. Hacker's Delight, section 7-3.
BitMatrix lanes_of(BitMatrix planes);

}  // namespace quality
