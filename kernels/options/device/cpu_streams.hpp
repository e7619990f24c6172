// What the compilations of a CPU step's loop for several instruction sets share: its streams.
#pragma once

#include "bench/step.hpp"

namespace options {

/// Generators of a stream, side by side in vector registers.
inline constexpr unsigned lanes_of_stream = 16;

/// The words of a stream's generators, the oldest first.
struct alignas(64) LaneStates {
    static constexpr unsigned lag = 31, short_lag = 13;  // of rng::MrgDraws
    unsigned word[lag][lanes_of_stream];
};

/// Statistics that a path or a group of normals has, and the columns of their sums (bench/estimands/means/means_of.hpp).
inline constexpr unsigned vector_statistics = 2;
inline constexpr unsigned vector_columns = 3 + vector_statistics + vector_statistics * (vector_statistics + 1) / 2;

/// Adds to `sums` the columns of a stream with `iters` paths or groups in each lane.
using StreamLoop = void (*)(const LaneStates& states, unsigned iters, bench::Count* sums);

}  // namespace options
