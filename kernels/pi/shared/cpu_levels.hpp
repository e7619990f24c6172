// What the compilations of cpu_levels.cpp for several instruction sets share.
#pragma once

#include <vector>

#include "kernels/cpu/instruction_sets.hpp"
#include "kernels/pi/shared/cpu_streams.hpp"

namespace pi::bit_sliced {

/// Hits among the next `samples` samples of a stream of 16 generators. They share what a level leaves.
using HitsOfStream = unsigned (*)(State& state, unsigned samples);

/// The levels, compiled for an instruction set.
struct Levels {
    HitsOfStream shared;  // those of v21
    HitsOfStreams folded_square;
    HitsOfStreams folded_octant;
    HitsOfStreams dot_square;
    HitsOfStreams dot_octant;
    HitsOfStreams dot_deep_octant;
    HitsOfStreams alternating_deep_octant;
    HitsOfStreams first_bits;  // v24
};

using Clone = bench::Clone<Levels>;

/// Those that run on this machine, that with the widest vectors first.
const std::vector<Clone>& clones();

}  // namespace pi::bit_sliced
