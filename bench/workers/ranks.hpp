// One worker per MPI process.
#pragma once

#include <memory>

#include "bench/workers/team.hpp"
#include "bench/workers/world.hpp"

namespace bench {

/// The workers of all processes, commanded by rank 0. `mine` is rank 0's own worker. The other ranks call serve(),
/// which returns when the object is destroyed.
std::unique_ptr<Workers> on_ranks(World& world, std::unique_ptr<Worker> mine);

/// Executes the commands of rank 0 until it dismisses this process. Launches have the estimand and specification of `tally`.
void serve(World& world, Worker& mine, const Tally& tally);

}  // namespace bench
