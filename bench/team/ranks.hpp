// Workers that are processes of an MPI world, one each.
#pragma once

#include <memory>

#include "bench/team/workers.hpp"
#include "bench/team/world.hpp"

namespace bench {

/// The workers of all processes, commanded by rank 0, whose own is `mine`; the others serve() meanwhile, and are dismissed
/// when the object is destroyed.
std::unique_ptr<Workers> on_ranks(World& world, std::unique_ptr<Worker> mine);

/// Does what rank 0 commands, until it dismisses us; launches have the shape of `tally`.
void serve(World& world, Worker& mine, const Tally& tally);

}  // namespace bench
