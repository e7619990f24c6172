// Walkers moved as numbers of walkers, on the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/mcls/device/flows.cuh"
#include "kernels/mcls/problem/sparse.hpp"

namespace mcls {

struct FlowTable {
    std::vector<std::uint32_t> first;
    std::vector<FlowEntry> entries;

    FlowRows view() const { return {static_cast<std::uint32_t>(first.size() - 1), first.data(), entries.data()}; }
};

/// Throws bench::UsageError if B, the transposed H, has too many entries. Rows may be above one.
FlowTable flow_table(const Sparse& b);

/// Numbers of walkers in each state at the start of a launch, with the signs of b. Walkers are at most 2^63.
std::vector<std::int64_t> flow_starts(std::span<const double> b, std::uint64_t walkers, const PhiloxKeys& keys,
                                      std::uint32_t launch);

/// What the generations of a launch add up to. x is |b|_1 / walkers times the tallies on average.
struct FlowOutcome {
    std::vector<std::int64_t> tallies;
    std::uint32_t generations = 0;  // moves of all walkers
};

/// Moves the walkers until none is left, `generations` times at most.
/// Throws bench::UsageError if a state has too many of them for 64 bits.
FlowOutcome replay_flows(const FlowTable& table, std::vector<std::int64_t> starts, const PhiloxKeys& keys,
                         std::uint32_t launch, std::uint32_t generations);

}  // namespace mcls
