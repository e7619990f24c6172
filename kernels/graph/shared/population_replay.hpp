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

/// A population of about so many steps of walks: all walks for one step, where that is enough for them and for a look at each
/// half-edge; otherwise as many walks a vertex on a small graph, for two steps at least.
std::shared_ptr<const bench::Problem> smaller_population(const bench::LaunchSpec& spec, const bench::Problem& problem,
                                                         double steps_of_walks);

}  // namespace graph
