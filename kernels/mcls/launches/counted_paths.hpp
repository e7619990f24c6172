// The phases around the walks of counted paths, introduced by v16.
#pragma once

#include <cuda_runtime_api.h>

#include "bench/step.hpp"

namespace mcls {

/// A phase: sets the cells and counts of a launch to zero.
cudaError_t clear_counted_paths(const bench::Launch& l);

/// A phase: adds the visits that the cells stand for to the tallies, and their number to the transitions.
cudaError_t add_counted_paths(const bench::Launch& l);

}  // namespace mcls
