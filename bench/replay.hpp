// A replay: the host draws the random numbers of a launch again, does the same work with them, and compares. It finds what no
// statistics can: two blocks with one random stream, a block that loses sums, work that is counted twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/step.hpp"

namespace bench {

/// How the host replays launches of one size. A part of a launch is what can be replayed apart: a block, where each publishes
/// counts of its own. The functions are called by several threads at once.
struct Replay {
    /// What streams lead to, in doubles that add up over the streams of a part.
    using Sums = std::vector<double>;

    LaunchSpec spec;                                   // of the launches
    std::shared_ptr<const Problem> problem = nullptr;  // of the launches; null: that of the run
    std::uint64_t parts = 1;
    std::uint64_t streams = 1;   // of a part
    std::uint64_t together = 1;  // streams that are replayed in one call, at least
    /// Whether the counts of a part stand together; otherwise part p of n has the counts p, p + n, p + 2 n, ...
    bool in_a_row = false;
    /// The sums of `streams` streams of a launch, the first one `first`. Null: `difference` does all the work.
    std::function<Sums(std::uint64_t launch, std::uint64_t first, std::uint64_t streams)> sums = nullptr;
    /// How the counts of a part differ from its sums: "block 3 has 7, and 8 in the replay on the host"; empty if they do not.
    std::function<std::string(std::uint64_t launch, std::uint64_t part, const Sums& sums,
                              std::span<const Count> counts)>
        difference = nullptr;
};

/// Units of work of a stream in a short launch: whole groups of 32 bit planes, and one that ends early.
inline constexpr double brief_units = 257;

/// Streams that vector code replays side by side.
inline constexpr std::uint64_t streams_at_once = 16;

/// Number of the launch that is rehearsed. A step that ignores the number would pass with launch 0.
inline constexpr std::uint64_t rehearsed_launch = 1;

/// What a part of a launch published.
struct PartCounts {
    std::uint64_t launch, part;
    std::vector<Count> counts;
};

/// How much of some launches of one size was compared with a replay.
struct Compared {
    std::uint64_t launches = 0;
    std::uint64_t parts = 0;     // of all of them
    std::uint64_t of = 1;        // parts of a launch
    std::uint64_t work = 0;      // units of a launch
    std::uint64_t vertices = 0;  // of its graph; 0: it has none
};

/// What was replayed before the first timing: a short launch, and one of the run's size, or as large as the time allowed.
struct Rehearsed {
    Compared brief;
    Compared full;  // without launches if the short one has that size already
    double seconds = 0;
};

/// What was replayed after the last timing: launches chosen at random among those that were timed.
struct Audit {
    std::uint64_t timed = 0;    // launches to choose from
    Compared full;              // what they had published when they were timed
    Compared brief;             // launches that ran again, with their number and less work
    double part_seconds = 0;    // to replay a part of a launch as it was timed; where that is long, `full` is of none
    std::uint64_t entropy = 0;  // the seed of the choice
    double seconds = 0;
};

/// The counts of a part, out of those that its launch published.
std::vector<Count> counts_of_part(const Replay& replay, std::span<const Count> published, std::uint64_t part);

/// How a part of a launch differs from its replay; empty if it does not.
std::string difference(const Replay& replay, std::uint64_t launch, std::uint64_t part,
                       std::span<const Count> published);

/// What a comparison took.
struct Effort {
    std::uint64_t parts = 0;  // that were compared
    double core_seconds = 0;  // of the threads that did it
};

/// Compares `n` parts with their replay on all cores, in order: `part(i)` tells what part i published. After the first `least`
/// it begins no other once `seconds` have passed. Throws VerdictError if one differs:
/// "audit: launch 3: block 5 has ...", where `occasion` is "audit".
Effort compare_with_replay(const Replay& replay, std::uint64_t n,
                           const std::function<PartCounts(std::uint64_t i)>& part, std::uint64_t least, double seconds,
                           const std::string& occasion);

/// Compares `most` parts of one launch in that way: the first one, the last one, then others in an order by the seed.
Effort rehearse(const Replay& replay, std::span<const Count> published, std::uint64_t seed, std::uint64_t most,
                double seconds);

/// Calls `task(i)` for i = 0, 1, ... below `n` on all cores that this process may use, until one returns false; those begun
/// by then end. Returns how many there were. Throws what a task threw.
std::size_t on_all_cores(std::size_t n, const std::function<bool(std::size_t)>& task);

}  // namespace bench
