// Rounding to half precision, for replays. The host functions of cuda_fp16.h round twice: to float, then to half.
#pragma once

#include <algorithm>
#include <cmath>

namespace pi {

/// `value`, below 2^15 in size, rounded to the nearest half, ties to even: to 11 bits with a last bit of at least 2^-24.
/// If `value` is the exact result of an operation, this is its result in half arithmetic.
inline double round_to_half(double value) {
    constexpr int least_exponent = -14;
    const int exponent = std::max(std::ilogb(value), least_exponent);
    return std::ldexp(std::nearbyint(std::ldexp(value, 10 - exponent)), exponent - 10);
}

}  // namespace pi
