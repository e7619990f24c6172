// Fast host replay of v15 and v18 to v23: streams side by side in vector registers.
#pragma once

#include "kernels/pi/shared/cpu_levels.hpp"

namespace pi::bit_sliced {

/// The hits of the first `iters` samples of `streams` successive threads, the first one `first`, which draw `Draws`: the sum of
/// what replay_bit_sliced gives for each. The networks are those of the kernels.
template <typename Draws, HitsOfStreams Levels::*levels>
std::uint64_t replay_streams(const bench::StreamId& first, unsigned streams, unsigned iters) {
    return hits_of_streams(seed<Draws>, clones().front().made.*levels, first, streams, iters);
}

}  // namespace pi::bit_sliced
