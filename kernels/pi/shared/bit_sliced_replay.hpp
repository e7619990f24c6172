// Host replay of v15, v18 to v23 and the bit-sliced CPU step.
#pragma once

#include "bench/step.hpp"
#include "kernels/pi/shared/cut_cells.hpp"

namespace pi {

/// Hits of a thread's first `iters` samples, lane by lane in whole numbers. Bits give a cell, and the cell a place. A cut
/// sample is drawn again at the next level. The replay shares the words and the geometry with the kernel, but not its
/// networks and population counts. `Draw` is FoldedMrgDraws (v15), DotMrgDraws or AlternatingMrgDraws (from v21 on), `grid` is
/// square, octant (v19) or deep_octant (from v20 on).
///
/// A plane is a word of each of `width` generators, numbers width * thread to width * thread + width - 1: 1, and 16 on the
/// CPU.
template <typename Draw, const Grid& grid = square, unsigned width = 1>
std::uint64_t replay_bit_sliced(const bench::StreamId& id, unsigned iters);

/// The same of v24, whose first level draws bit by bit.
std::uint64_t replay_first_bits(const bench::StreamId& id, unsigned iters);

/// The same of v20_tensor_words: a plane is a word of each lane of a warp, and a warp's samples are decided together. The first
/// lane gets all hits of its warp, the others none. Blocks must be whole warps.
std::uint64_t replay_tensor_words(const bench::StreamId& id, unsigned iters);

}  // namespace pi
