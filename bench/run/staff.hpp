// Makes the workers of a run ready.
#pragma once

#include <memory>
#include <vector>

#include "bench/run/plan.hpp"
#include "bench/workers/team.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/world.hpp"

namespace bench {

/// The workers of this process, ready to launch. On each GPU, and on the CPU, the step has been rehearsed, and the plan
/// knows how much of it. Collective. Throws VerdictError if a rehearsal fails.
std::vector<std::unique_ptr<Worker>> rehearsed_workers(World& world, Plan& plan);

/// All workers of the run, commanded by rank 0. The others serve() it.
Team team_of(World& world, const Plan& plan, std::vector<std::unique_ptr<Worker>> workers);

}  // namespace bench
