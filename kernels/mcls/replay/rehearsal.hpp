// How a step is rehearsed and audited: the host replays launches on the run's grid, small ones too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/step.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// For bench::SolutionOf::replay. The problem is the step's Walks, with a replay.
std::string difference_from_replay(const bench::LaunchSpec& spec, const bench::Problem& problem, std::uint64_t index,
                                   const std::vector<bench::Count>& published);

/// For bench::SolutionOf::smaller: smaller_of().
std::shared_ptr<const bench::Problem> smaller_problem(const bench::LaunchSpec& spec, const bench::Problem& problem,
                                                      double transitions);

/// The Walks of a launch on the same grid with about so many transitions, no more than theirs. It has at least the histories
/// from which all loops of the kernel run, Walks::loops_from for each thread and a sixth of them more, which are no whole
/// number for each: their steps are cut so far that together they have so many transitions, but to sixteen at least. Where even
/// that is too much, it has fewer histories, but 1,024 at least; of forward ones, as many for each entry; never more than `walks`.
/// There counted walkers (Walks::places) walk to their end, so that late transitions are replayed too.
///
/// Steps give a block the histories h with h / threads modulo blocks its number, or an equal part of all, or those of its
/// entries. In each way, every block that walks in the run walks in a launch in which all loops run.
Walks smaller_of(const Walks& walks, bench::Shape shape, double transitions);

}  // namespace mcls
