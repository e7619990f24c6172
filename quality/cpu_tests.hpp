// The suite's own tests of a source, on the CPU: what the batteries do not look at.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/estimands/source.hpp"

namespace quality {

/// Streams of one launch: threads, or the lanes of bit planes (then a multiple of 32).
struct Streams {
    std::uint64_t seed;
    std::uint64_t count;
};

/// Called now and then in long work; may throw to stop it.
using Tick = std::function<void()>;

/// Hits of each stream in its first `iters` samples.
std::vector<std::uint32_t> hits_per_stream(const bench::Source& source, const Streams& streams, unsigned iters,
                                           const Tick& tick);

/// Pairs of words by serial_cell: two successive words of a stream (x and y), or the words that streams 2t and 2t + 1 draw
/// at the same time (neighbours).
struct PairCounts {
    std::vector<std::uint64_t> xy;
    std::vector<std::uint64_t> neighbours;
};

/// Counts `pairs_per_stream` pairs (x, y) of each stream, and as many pairs of neighbours for every two streams.
PairCounts count_pairs(const bench::Source& source, const Streams& streams, std::uint64_t pairs_per_stream,
                       const Tick& tick);

/// Correlation of the hits of samples i and i + lag of a stream, over all i below `iters` - lag of all streams.
struct LagCorrelations {
    std::vector<double> correlation;  // of lag 1, 2, ...
    double sd;                        // of each, if samples are independent
};

/// Correlations up to `lags`, about the exact expectation. Not of bit planes.
LagCorrelations lag_correlations(const bench::Source& source, const Streams& streams, unsigned iters, unsigned lags,
                                 const Tick& tick);

/// Linear complexity of each of the 32 bits of `bits` successive words of the first thread.
std::vector<unsigned> bit_complexities(const bench::Source& source, std::uint64_t seed, unsigned bits);

}  // namespace quality
