// Histories walked on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/mcls/shared/walk.cuh"

namespace mcls {

/// Histories of one launch, by their numbers.
struct HistoryRange {
    std::uint64_t seed;  // of the run
    std::uint32_t launch;
    std::uint64_t first;
    std::uint64_t count;
};

/// Threads of a replay. Where entries are few, each has tallies of all: more threads would take more time to add them up than
/// they save.
int replay_threads();

/// Whether the threads of a replay add to the same tallies: of so many entries that they seldom meet, and that clearing and
/// adding up those of each thread would take longer than a small launch.
bool share_tallies(std::size_t n);

/// What histories add up to.
struct Outcome {
    std::vector<std::int64_t> tallies;  // of the entries of x, or of the cells of SlotWalks; sums modulo 2^64
    std::uint64_t histories = 0;
    std::uint64_t transitions = 0;
    std::uint32_t longest = 0;  // transitions of one history
};

/// Walks them with the kernels' arithmetic on several cores: the sums are those of a GPU, in any order.
/// For Adjoint and Forward with CdfRows or AliasRows, Adjoint with ShortRows, GuidedShortRows, Stratified with AliasRows,
/// QuarterPaths and SlotWalks, whose pointers are to host memory.
template <class Method>
Outcome replay(const Method& method, const HistoryRange& histories);

}  // namespace mcls
