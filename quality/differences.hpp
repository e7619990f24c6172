// Tests whether differences of words a few draws apart reveal the multiplier of the ladder's lagged generators.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/estimands/hits/source.hpp"
#include "quality/serial.hpp"

namespace quality {

/// The inverse of a = rng::mrg_multiplier modulo 2^32 - 1, up to its sign. If a word is the sum of the two halves of the
/// 64-bit product a * b, its product with the inverse reveals b.
inline constexpr std::uint32_t inverse_multiplier = 396528613;

/// The serial test of the leading 4 bits of `inverse_multiplier` * (w[n] - w[n - lag]), for lags 1 to `lags`. `words`
/// interleaves `streams` streams; a lag counts words of one stream.
std::vector<Serial> differences(std::span<const std::uint32_t> words, std::size_t streams, unsigned lags);

/// The same for `words` words of the first thread. For bit planes these are the words of its 32 lanes, interleaved.
std::vector<Serial> differences(const bench::Source& source, std::uint64_t seed, std::size_t words, unsigned lags);

}  // namespace quality
