// The clones of the CPU step on counted paths, for its tests.
#pragma once

#include <vector>

#include "bench/step.hpp"
#include "bench/workers/cpu/instruction_sets.hpp"
#include "kernels/mcls/device/cpu_paths.hpp"

namespace mcls::counted_paths {

/// The walk, compiled for an instruction set.
using Clone = bench::Clone<Walk>;

/// The clones that run on this machine, that with the widest vectors first.
const std::vector<Clone>& clones();

/// A phase: walks the histories of a launch and adds the visits of their cells.
void walk(const Clone& clone, const bench::Launch& l);

}  // namespace mcls::counted_paths
