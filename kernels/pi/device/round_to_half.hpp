// The rounding of half arithmetic, for replays: cuda_fp16.h's functions for the host round twice, over float.
#pragma once

#include <algorithm>
#include <cmath>

namespace pi {

/// `value`, under 2^15 in size, rounded to the nearest number of a half, ties to even: 11 bits, the last one worth 2^-24
/// at least. The result of a half operation, if `value` is its exact one.
inline double round_to_half(double value) {
    constexpr int least_exponent = -14;
    const int exponent = std::max(std::ilogb(value), least_exponent);
    return std::ldexp(std::nearbyint(std::ldexp(value, 10 - exponent)), exponent - 10);
}

}  // namespace pi
