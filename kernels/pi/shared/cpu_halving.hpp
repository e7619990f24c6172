// What the compilations of cpu_halving.cpp for several instruction sets share.
#pragma once

#include <vector>

#include "kernels/cpu/instruction_sets.hpp"
#include "kernels/pi/shared/cpu_streams.hpp"

namespace pi::halving {

/// The generators of a warp's lanes.
struct Warp {
    static constexpr unsigned lanes = 32;
    State of[lanes / generators];
};

/// Hits among the next `samples` samples of a warp.
using HitsOfWarp = unsigned (*)(Warp& warp, unsigned samples);

/// The walks, compiled for an instruction set.
struct Walks {
    HitsOfWarp two_bits;    // v25
    HitsOfWarp three_bits;  // v26
    HitsOfWarp shifted;     // v27
    HitsOfWarp seven_bits;  // v27_seven_bits
    HitsOfWarp three_dots;  // v26_dots
};

using Clone = bench::Clone<Walks>;

/// Those that run on this machine, that with the widest vectors first.
const std::vector<Clone>& clones();

/// Hits of the warps whose first threads are among `streams` successive ones, the first one `first`. The threads draw `Draws`.
template <typename Draws>
std::uint64_t hits_of_warps(HitsOfWarp hits_of, const bench::StreamId& first, unsigned streams, unsigned iters);

/// Hits among the first `samples` samples of a team of lanes: the warp of number `team.thread` of `team.threads`.
template <typename Draws>
std::uint64_t hits_of_team(HitsOfWarp hits_of, const bench::StreamId& team, unsigned samples);

}  // namespace pi::halving
