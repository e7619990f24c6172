// How a step is rehearsed: the host replays a small launch on the run's grid.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>
#include <string>

#include "bench/step.hpp"
#include "kernels/mcls/problem/walks.hpp"

namespace mcls {

/// Histories of the launch that is rehearsed: two for each thread, so that it goes on after the first, or 1,024 on a small grid;
/// of forward ones, as many for each entry; no more than a launch of the run has. Steps give a block the histories h with
/// h / threads modulo blocks its number, or an equal part of all, or those of its entries. In each way, every block that walks
/// in the run walks here.
std::uint64_t rehearsed_histories(const Walks& walks, bench::Shape shape);

/// The Walks of so many histories, cut so that together they have 2^25 transitions at most, or the fewest that they can have. 16 cores
/// replay them in half a second on grids of 2^20 threads.
Walks few_of(const Walks& walks, bench::Shape shape);

// For bench::SolutionOf:
std::string difference(const bench::LaunchSpec& spec, const bench::Problem* problem, std::uint64_t launch,
                       const std::vector<bench::Count>& published);
std::shared_ptr<const bench::Problem> smaller(const bench::LaunchSpec& spec, const bench::Problem* problem,
                                              double transitions);

}  // namespace mcls
