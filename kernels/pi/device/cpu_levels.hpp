// What the compilations of cpu_levels.cpp for several instruction sets share.
#pragma once

#include "kernels/random/draws.cuh"

namespace pi::bit_sliced {

/// Those of v21.
using Draws = rng::AlternatingMrgDraws;

/// Generators of a stream, side by side in vector registers. A plane is a word of each: 512 samples.
inline constexpr unsigned generators = 16;

/// The words of a stream's generators, the oldest first.
struct alignas(64) State {
    unsigned word[Draws::round][generators];
};

/// Hits among the next `samples` samples of a stream.
using HitsOfStream = unsigned (*)(State& state, unsigned samples);

}  // namespace pi::bit_sliced
