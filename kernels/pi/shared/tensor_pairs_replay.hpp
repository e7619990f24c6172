// Host replay of v16t.
#pragma once

#include <cstdint>

#include "bench/step.hpp"

namespace pi {

/// Hits of the first `iters` samples of a thread, from the draws of its whole warp. Blocks must be whole warps.
std::uint64_t replay_tensor_pairs(const bench::StreamId& id, unsigned iters);

}  // namespace pi
