// Host replay of v15.
#pragma once

#include "bench/contract.hpp"

namespace pi {

/// Hits of a thread's first `iters` samples, lane by lane in whole numbers: bits, cell, place, and a cut sample drawn anew
/// one level on. Shares the words and the geometry with the kernel, not its networks and population counts.
std::uint64_t replay_bit_sliced(const bench::StreamId& id, unsigned iters);

}  // namespace pi
