// Do the differences of words that lie a few draws apart depend on the multiplier of the ladder's lagged generators?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/estimands/source.hpp"
#include "quality/serial.hpp"

namespace quality {

/// The inverse of pi::mrg_multiplier modulo 2^32 - 1. Of words that are the sum of the halves of a 64-bit product by that
/// multiplier, a product by the inverse shows the factor.
inline constexpr std::uint32_t inverse_multiplier = 396528613;

/// The serial test of the leading 4 bits of `inverse_multiplier` * (w[n] - w[n - lag]) for lag 1 to `lags`. `words` are
/// those of `streams` streams in turn; lags are within a stream.
std::vector<Serial> differences(std::span<const std::uint32_t> words, std::size_t streams, unsigned lags);

/// The same of `words` words of the first thread or, of bit planes, of its 32 lanes together.
std::vector<Serial> differences(const bench::Source& source, std::uint64_t seed, std::size_t words, unsigned lags);

}  // namespace quality
