// What the launches of a run walk on, and the options that choose it. Kernel files include this file, so it is C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/step.hpp"
#include "kernels/mcls/device/guided_short_rows.cuh"
#include "kernels/mcls/device/walk.cuh"
#include "kernels/mcls/problem/design.hpp"
#include "kernels/mcls/tables/host_tables.hpp"

namespace mcls {

class ReplayTables;  // replay/replays.hpp

/// The histories of a launch have the numbers 0 to `histories` - 1. B is the transposed H for adjoint histories, H for forward
/// ones.
struct Walks : bench::Problem {
    std::uint32_t n;                       // states, and entries of x
    std::uint64_t histories;               // of a launch
    std::uint64_t histories_of_entry = 0;  // of a launch, of forward histories; 0 for adjoint ones
    Limits limits;
    std::uint32_t least_steps = 1;  // the smallest limit that the step can keep
    double scale;                   // 2^bits of the tallies
    std::vector<double> b;  // of x = H x + b; of guided histories on short rows, of each place in units of x there
    StartTable starts;      // of adjoint histories; of guided ones on short rows, of each entry: its state and unit

    double length = 1;                                      // transitions of a history, about
    unsigned loops_from = 1;                                // Step::loops_from
    Replayed (*replay)(const bench::Launch& l) = nullptr;   // Design::replay
    std::shared_ptr<ReplayTables> replay_tables = nullptr;  // null: a replay makes its own each time

    // The table of the step's design; the others are empty.
    CdfTable cdf;
    AliasTable alias;
    ShortTable short_rows;  // starts have its states

    // B in compressed rows, for a step that makes its own table: first has n + 1 values.
    std::vector<std::uint64_t> first;
    std::vector<std::uint32_t> column;
    std::vector<double> value;
    std::uint32_t reach = 0;  // the farthest that a transition leads, in states

    /// Adjoint histories on this machine.
    Adjoint<CdfRows> adjoint_cdf() const { return {starts.view(), cdf.view(), limits, scale}; }
    Adjoint<AliasRows> adjoint_alias() const { return {starts.view(), alias.view(), limits, scale}; }
    Adjoint<ShortRows> adjoint_short_rows() const { return {starts.view(), short_rows.view(), limits, scale}; }
    /// Forward histories on this machine.
    Forward<CdfRows> forward_cdf() const { return {b.data(), histories_of_entry, cdf.view(), limits, scale}; }
    Forward<AliasRows> forward_alias() const { return {b.data(), histories_of_entry, alias.view(), limits, scale}; }
    GuidedShortRows guided_short_rows() const {
        const double entries_per_history = 1 / static_cast<double>(histories_of_entry);
        return {starts.start.data(),
                b.data(),
                entries_per_history,
                short_rows.view(),
                short_rows.rest.data(),
                limits,
                scale};
    }
};

/// Those of a launch.
inline const Walks& walks_of(const bench::Problem* problem) { return static_cast<const Walks&>(*problem); }

// Where the counts of a launch are.
using bench::first_tally, bench::histories_count, bench::transitions_count;

/// The options of a step of this design. They set its estimand, problem and number of counts.
std::shared_ptr<const bench::OwnOptions> options_of(const Design& design);

/// The estimand of a step before its options set it.
std::shared_ptr<const bench::Estimand> estimand_of(const Design& design);

}  // namespace mcls
