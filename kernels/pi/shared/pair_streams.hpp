// Fast host replay of v1 to v14: streams side by side in vector registers.
#pragma once

#include "bench/estimands/hits/source.hpp"
#include "kernels/pi/shared/cpu_pairs.hpp"

namespace pi::pairs {

/// The hits of the first `iters` samples of `streams` successive threads, the first one `first`, which draw `Draws`: the sum of
/// what pi::replay gives for each.
template <typename Draws, Loop loop>
std::uint64_t replay_streams(const bench::StreamId& first, unsigned streams, unsigned iters) {
    return hits_of_streams(seed<Draws>, clones().front().made.*loop, first, streams, iters);
}

/// That function; null without a loop.
template <typename Draws, Loop loop>
constexpr auto replay_by() -> decltype(bench::Source::replay_streams) {
    if constexpr (loop == nullptr) {
        return nullptr;
    } else {
        return replay_streams<Draws, loop>;
    }
}

}  // namespace pi::pairs
