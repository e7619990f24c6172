// The exponential function on the CPU, without a call or a branch, so that loops of it become vectors.
#pragma once

#include <bit>
#include <cstdint>

namespace options {

/// e^x for |x| < 87, within 1.5e-7 of its value. x = n ln 2 + r, |r| <= ln 2 / 2; e^r is its Taylor polynomial of degree 7,
/// whose error is 5e-9; 2^n is put into the exponent.
inline float host_exp(float x) {
    constexpr float to_integer = 12582912.0f;  // 2^23 + 2^22: the sum's lowest bits are an integer
    constexpr float ln2_high = 0.693145751953125f, ln2_low = 1.4286068203094172e-6f;  // the first has 16 bits
    const float shifted = x * 1.4426950408889634f + to_integer;
    const float n = shifted - to_integer;
    const float r = (x - n * ln2_high) - n * ln2_low;
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    return p * std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << 23) + 0x3f800000u);
}

}  // namespace options
