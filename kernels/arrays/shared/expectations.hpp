// The exact hit probability of words that are not 32 random bits.
// tests/host/kernels/pi/expectations_test.cpp recomputes it.
#pragma once

#include "bench/estimands/hits/source.hpp"

namespace arrays {

/// Words of MRG32k3a are 1 to m1 (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
/// number generators", Operations Research 47, 1999).
inline constexpr std::uint64_t mrg32k3a_words_in_all = 4294967087u;

/// x and y from two of them through curand_uniform's map.
inline constexpr bench::Expectation mrg32k3a_pairs{
    14488039775086256293u, static_cast<double>(mrg32k3a_words_in_all) * static_cast<double>(mrg32k3a_words_in_all)};

}  // namespace arrays
