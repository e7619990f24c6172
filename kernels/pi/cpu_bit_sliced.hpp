// The clones of the bit-sliced CPU step, for its tests.
#pragma once

#include <vector>

#include "bench/step.hpp"
#include "bench/workers/cpu/instruction_sets.hpp"
#include "kernels/pi/device/cpu_levels.hpp"

namespace pi::bit_sliced {

/// The levels, compiled for an instruction set.
using Clone = bench::Clone<HitsOfStream>;

/// The clones that run on this machine, that with the widest vectors first.
const std::vector<Clone>& clones();

/// Hits of stream number `stream` of a launch.
unsigned hits_of_stream(const Clone& clone, const bench::Launch& launch, unsigned stream);

}  // namespace pi::bit_sliced
