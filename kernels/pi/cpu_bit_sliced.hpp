// The bit-sliced CPU step, for its tests.
#pragma once

#include "bench/step.hpp"
#include "kernels/pi/shared/cpu_levels.hpp"

namespace pi::bit_sliced {

/// Hits of stream number `stream` of a launch.
unsigned hits_of_stream(const Clone& clone, const bench::Launch& launch, unsigned stream);

}  // namespace pi::bit_sliced
