// Host replay of v16.
#pragma once

#include <cstdint>

#include "bench/step.hpp"
#include "kernels/pi/shared/half_cells.cuh"

namespace pi {

/// v16's hit test, (k + ox)^2 + (l + oy)^2 < 32^2 in half arithmetic. k and l are below 32.
bool half_cell_hit(unsigned k, unsigned l, CellOffset offset);

/// Hits of a thread's first `iters` samples.
std::uint64_t replay_half_cells(const bench::StreamId& id, unsigned iters);

}  // namespace pi
