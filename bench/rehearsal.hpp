// A rehearsal: before the first timing, a small launch on the run's whole grid publishes what a replay on the host gives. It
// finds what no statistics can: two blocks with one random stream, a block that loses sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "bench/step.hpp"

namespace bench {

/// A launch to rehearse, and its replay. A part of it is what can be replayed apart: a block, where each publishes its own
/// counts.
struct Rehearsal {
    LaunchSpec spec;                                   // of the launch: that of the run, with few iterations
    std::shared_ptr<const Problem> problem = nullptr;  // of the launch; null: that of the run
    std::size_t parts;
    /// How what the launch published differs from the replay of this part: "block 3 has 7, and 8 in the replay on the host".
    /// Empty if it does not. Called by several threads at once.
    std::function<std::string(std::size_t part, std::span<const Count> published)> difference;
};

/// Number of the launch that is rehearsed. A step that ignores the number would pass with launch 0.
inline constexpr std::uint64_t rehearsed_launch = 1;

/// Replays the first part and the last one, then others in an order that the seed determines, on all cores for about so many
/// seconds. Returns how many parts were replayed. Throws VerdictError if one differs from what was published.
std::size_t compare_with_replay(const Rehearsal& rehearsal, std::span<const Count> published, std::uint64_t seed,
                                double seconds);

/// Calls `task(i)` for i = 0, 1, ... below `n` on all cores that this process may use, until one returns false; those begun
/// by then end. Returns how many there were. Throws what a task threw.
std::size_t on_all_cores(std::size_t n, const std::function<bool(std::size_t)>& task);

}  // namespace bench
