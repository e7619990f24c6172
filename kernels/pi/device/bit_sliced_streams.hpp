// Fast host replay of v15 and v18 to v23: streams side by side in vector registers.
#pragma once

#include "bench/step.hpp"
#include "kernels/pi/device/cpu_levels.hpp"
#include "kernels/pi/device/cut_cells.hpp"

namespace pi::bit_sliced {

/// The first words of generators of the kind `Draws` for successive threads, the first one `first`.
template <typename Draws>
void seed(State& state, const bench::StreamId& first);

/// Hits of the first `iters` samples of `streams` successive threads, the first one `first`: the sum of what replay_bit_sliced
/// gives for each. The logic is that of the kernels' networks. `clone`: one of clones().
template <typename Draws, const Grid& grid>
std::uint64_t replay_streams_by(const Clone& clone, const bench::StreamId& first, unsigned streams, unsigned iters);

/// The same with the widest vectors of this machine.
template <typename Draws, const Grid& grid>
std::uint64_t replay_streams(const bench::StreamId& first, unsigned streams, unsigned iters) {
    return replay_streams_by<Draws, grid>(clones().front(), first, streams, iters);
}

}  // namespace pi::bit_sliced
