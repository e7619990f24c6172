// The phase of the CPU step on counted paths, for its tests.
#pragma once

#include "bench/step.hpp"
#include "kernels/mcls/replay/counted_paths.hpp"

namespace mcls::counted_paths {

/// A phase: walks the histories of a launch and adds the visits of their cells.
void walk(const Clone& clone, const bench::Launch& l);

}  // namespace mcls::counted_paths
