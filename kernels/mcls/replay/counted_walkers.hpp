// Populations of counted walkers, walked on the host.
#pragma once

#include "bench/step.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/shared/counted_walkers.cuh"

namespace mcls::counted_walkers {

/// What the blocks of a launch add up to, by the words of its threads. `method` is a view of a CountedTable.
Outcome walked(const CountedWalkers& method, const bench::LaunchSpec& spec, std::uint64_t launch);

}  // namespace mcls::counted_walkers
