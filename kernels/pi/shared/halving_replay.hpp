// Host replay of v25 to v27 and cpu_halving.
#pragma once

#include "bench/step.hpp"
#include "kernels/pi/shared/cpu_halving.hpp"
#include "kernels/pi/shared/halving.cuh"

namespace pi::halving {

/// Hits of a warp's first 32 * `iters` samples, word by word. The replay shares the words and the tree with the kernel, but not
/// its loops and counts. The warp's first thread gets them all, the others none. Blocks must be whole warps.
template <typename Draws, const auto& tree>
std::uint64_t replay_warp(const bench::StreamId& id, unsigned iters);

/// Hits among the first `samples` samples of a team of 32 lanes, of number `team.thread`, that draws as v27 does.
std::uint64_t replay_team(const bench::StreamId& team, unsigned samples);

/// The same of the warps of `streams` successive threads, in vector registers.
template <typename Draws, HitsOfWarp Walks::*walk>
std::uint64_t replay_streams(const bench::StreamId& first, unsigned streams, unsigned iters) {
    return hits_of_warps<Draws>(clones().front().made.*walk, first, streams, iters);
}

}  // namespace pi::halving
