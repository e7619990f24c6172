// Host replay of a thread: the same draws and the same hit rule, on the CPU.
#pragma once

#include <cstdint>

#include "kernels/device/hit.cuh"

namespace pi {

/// Hits of `iters` samples whose coordinates come from `draw()`, x and y in turn.
template <typename Draw>
std::uint64_t replay_hits(unsigned iters, Draw draw) {
    std::uint64_t hits = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = draw();
        const float y = draw();
        hits += is_hit(x, y) ? 1 : 0;
    }
    return hits;
}

}  // namespace pi
