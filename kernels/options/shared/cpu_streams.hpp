// The streams of a CPU step in vector registers: what the compilations of its loop for several instruction sets share.
#pragma once

#include "bench/step.hpp"

namespace options {

/// Generators of a stream, side by side in vector registers.
inline constexpr unsigned lanes_of_stream = 64;

/// The words of a stream's generators, the oldest first.
struct alignas(64) LaneStates {
    static constexpr unsigned lag = 31, short_lag = 13;  // of rng::MrgDraws
    unsigned word[lag][lanes_of_stream];
};

/// Statistics of a path or of a group of normals, and the columns of their sums (bench/estimands/means/means_of.hpp).
inline constexpr unsigned vector_statistics = 2;
inline constexpr unsigned vector_columns = 3 + vector_statistics + vector_statistics * (vector_statistics + 1) / 2;

/// Adds to `columns` those of a stream with `iters` paths or groups in each lane.
using StreamLoop = void (*)(const LaneStates& states, unsigned iters, bench::Count* columns);

}  // namespace options
