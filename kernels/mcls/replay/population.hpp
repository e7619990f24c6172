// A population that all blocks of a launch move, walked on the host.
#pragma once

#include "bench/step.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/shared/population.cuh"

namespace mcls::population {

/// What the threads of a launch add up to, by their words. `method` is a view of a PopulationTable.
Outcome walked(const Population& method, const bench::LaunchSpec& spec, std::uint64_t launch);

}  // namespace mcls::population
