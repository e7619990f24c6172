// The suite's own tests of a source, on the CPU. The batteries lack them.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/estimands/hits/source.hpp"

namespace quality {

/// Streams of one launch: one per thread, or one per lane of bit planes (then a multiple of 32).
struct Streams {
    std::uint64_t seed;
    std::uint64_t count;
};

/// Counts the hits of each stream in its first `iters` samples.
std::vector<std::uint32_t> hits_per_stream(const bench::Source& source, const Streams& streams, unsigned iters);

/// Numbers of word pairs in each serial_cell. xy: two successive words of a stream. neighbours: words that streams 2t and
/// 2t + 1 draw at the same time.
struct PairCounts {
    std::vector<std::uint64_t> xy;
    std::vector<std::uint64_t> neighbours;
};

/// Counts `pairs_per_stream` pairs (x, y) of each stream, and equally many pairs of neighbours.
PairCounts count_pairs(const bench::Source& source, const Streams& streams, std::uint64_t pairs_per_stream);

/// Correlation of the hits of samples i and i + lag of a stream, over all i below `iters` - lag of all streams.
struct LagCorrelations {
    std::vector<double> correlation;  // for lag 1, 2, ...
    double sd;                        // of each, for independent samples
};

/// Correlations for lags 1 to `lags`, relative to the exact expectation. Bit planes are not supported.
LagCorrelations lag_correlations(const bench::Source& source, const Streams& streams, unsigned iters, unsigned lags);

/// Linear complexity of each of the 32 bit positions, over `bits` successive words of the first thread.
std::vector<unsigned> bit_complexities(const bench::Source& source, std::uint64_t seed, unsigned bits);

}  // namespace quality
