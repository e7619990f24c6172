// The exact hit probability of each way to make coordinates. None equals pi/4.
// tests/host/kernels/pi/expectations_test.cpp recomputes all of them.
#pragma once

#include "bench/estimands/hits/source.hpp"

namespace pi {

inline constexpr double two_to_32 = 4294967296.0;
inline constexpr double two_to_64 = two_to_32 * two_to_32;

/// x and y from independent 32-bit words through curand_uniform: pairs of words that are hits.
inline constexpr bench::Expectation curand_uniform_pairs{14488039784235215844u, two_to_64};

/// The same through to_unit_interval.
inline constexpr bench::Expectation unit_interval_pairs{14488039784235244011u, two_to_64};

/// The same through upper_23_bits, v11's mantissa trick.
inline constexpr bench::Expectation mantissa_pairs{55267494118022u, 70368744177664.0};

/// The words themselves, tested by folded_hit, v13's rule.
inline constexpr bench::Expectation folded_pairs{14488038916354896502u, two_to_64};

/// The same of v25 to v27, which fold the square: of two mirrored pairs the one with x > y counts for both, but for those that
/// agree in the leading ten bits. The rule rounds x and y differently. 4P - pi is -8.0e-10.
inline constexpr bench::Expectation folded_octant_pairs{14488038912458744091u, two_to_64};

/// v16: pairs of one of 32 x 32 cells and one of 1024 x 1024 offsets that are hits in half arithmetic. 4P - pi is -3.6e-7.
inline constexpr bench::Expectation offset_cells{843314759u, 1073741824.0};

/// v16t: pairs of odd numbers below 2^11 inside the quarter circle of radius 2^11. 4P - pi is 8.5e-5.
inline constexpr bench::Expectation odd_pairs{823572u, 1048576.0};

// If x and y are consecutive draws of one 32-bit generator, only 2^32 pairs exist. These are averages over its cycle.

/// xorshift32 through to_unit_interval.
inline constexpr bench::Expectation xorshift32_cycle{3373259442u, two_to_32 - 1};

/// lcg through to_unit_interval.
inline constexpr bench::Expectation lcg_cycle{3373259720u, two_to_32};

/// lcg through the mantissa trick of v11.
inline constexpr bench::Expectation lcg_mantissa_cycle{3373260247u, two_to_32};

/// The same with each coordinate in the middle of its interval, upper_23_bits_centred.
inline constexpr bench::Expectation lcg_centred_mantissa_cycle{3373259713u, two_to_32};

/// lcg tested by folded_hit, v13's rule.
inline constexpr bench::Expectation lcg_folded_cycle{3373259514u, two_to_32};

/// xorshift32 through the mantissa trick of v11.
inline constexpr bench::Expectation xorshift32_mantissa_cycle{3373259987u, two_to_32 - 1};

}  // namespace pi
