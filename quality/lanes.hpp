// Turns bit planes into lanes.
#pragma once

#include <array>
#include <cstdint>

namespace quality {

/// 32 x 32 bits; each word is a lane or a plane.
using BitMatrix = std::array<std::uint32_t, 32>;

/// The lanes of 32 successive bit planes: bit l of plane n becomes bit 31 - n of lane l, so the first bit of a lane is its
/// highest. Hacker's Delight, section 7-3.
BitMatrix lanes_of(BitMatrix planes);

}  // namespace quality
