// What the launches of a step publish according to the host, for Design::replay. Kernel files include this file, so it is
// C++17.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/step.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// All counts of a launch. They depend on its shape, if tallies are doubles, its seed, its index and its Walks.
struct Replayed {
    std::vector<bench::Count> counts;
    /// Of each tally in double precision: how far sums of the same numbers in another order differ at most. Empty if tallies are
    /// whole numbers, which are equal.
    std::vector<double> rounding = {};
};

/// Tables that replays make of the rows of Walks. Copies of Walks share them, so that they are made once.
class ReplayTables;
std::shared_ptr<ReplayTables> replay_tables();

/// Of histories with tallies in whole numbers, for methods of tables/methods.hpp: Adjoint, Forward with AliasRows, Stratified with
/// AliasRows, GuidedShortRows, QuarterPaths, CountedWalkers, Population, SlotWalks and SlotPaths.
template <class Of>
Replayed replay(const bench::Launch& l);

/// Of QuarterPaths without vectors.
Replayed replay_quarter_paths_one_by_one(const bench::Launch& l);

/// Steps with tables in double precision: adjoint ones by the seeds of their threads, then forward ones.
Replayed replay_subsequences(const bench::Launch& l);
Replayed replay_own_seeds(const bench::Launch& l);
Replayed replay_consecutive_seeds(const bench::Launch& l);
Replayed replay_random_seeds(const bench::Launch& l);
Replayed replay_sorted_starts(const bench::Launch& l);
Replayed replay_forward_histories(const bench::Launch& l);
Replayed replay_forward_entries(const bench::Launch& l);

/// How the published counts differ from the replayed ones: the first difference, and how many there are. Empty if they do not.
std::string difference(const Replayed& replayed, const std::vector<bench::Count>& published);

}  // namespace mcls
