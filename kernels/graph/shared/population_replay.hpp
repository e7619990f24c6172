// Launches of a population on the host, and how they are rehearsed and audited (bench::SolutionOf).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/graph/shared/population.hpp"

namespace graph {

/// How many walks are at each vertex after a step of a launch, by how many were there before.
std::vector<std::uint32_t> pushed(const bench::LaunchSpec& spec, const Population& population, std::uint64_t launch,
                                  unsigned step, const std::vector<std::uint32_t>& before);

/// What a launch publishes.
std::vector<bench::Count> replayed(const bench::LaunchSpec& spec, const Population& population, std::uint64_t launch);

/// How what a launch published differs from its replay: the first difference. Empty if it does not.
std::string difference_from_replay(const bench::LaunchSpec& spec, const bench::Problem& problem, std::uint64_t launch,
                                   const std::vector<bench::Count>& published);

/// A population whose replay takes about as long as so many steps of walks on a small graph. In a short launch as many walks
/// begin at a vertex of that as in the run; in a longer one, a walk begins at each vertex of the run's graph. Both have two
/// steps at least: after the second one a walk that went to a wrong vertex is most likely in another quarter.
std::shared_ptr<const bench::Problem> smaller_population(const bench::LaunchSpec& spec, const bench::Problem& problem,
                                                         double steps_of_walks);

}  // namespace graph
