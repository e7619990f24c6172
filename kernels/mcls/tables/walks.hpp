// What the launches of a run walk on. Kernel files include this file, so it is C++17.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/estimands/solution/solution_of.hpp"
#include "bench/step.hpp"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/mcls/tables/host_tables.hpp"

namespace mcls {

struct Replayed;     // replay/replays.hpp
class ReplayTables;  // likewise

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

    double length = 1;                                                       // transitions of a history, about
    unsigned loops_from = 1;                                                 // Step::loops_from
    std::uint64_t (*places)(std::uint32_t n, bench::Shape shape) = nullptr;  // Design::places
    Replayed (*replay)(const bench::Launch& l) = nullptr;                    // Design::replay
    std::shared_ptr<ReplayTables> replay_tables = nullptr;                   // null: a replay makes its own each time

    // The table of the design; the others are empty.
    CdfTable cdf;
    AliasTable alias;
    ShortTable short_rows;  // starts have its states

    // B in compressed rows, for a method that makes its own table: first has n + 1 values.
    std::vector<std::uint64_t> first;
    std::vector<std::uint32_t> column;
    std::vector<double> value;
    std::uint32_t reach = 0;  // the farthest that a transition leads, in states

    /// Histories of a launch from which all loops of the kernel run: a sixth more than it needs, which are no whole number for
    /// each thread or place.
    double histories_of_loops(bench::Shape shape) const {
        const std::uint64_t each = places ? places(n, shape) : total_threads(shape);
        return std::ceil(7.0 / 6 * loops_from * static_cast<double>(each) + 1);
    }
    double least_rehearsed_work(bench::Shape shape) const override {
        constexpr unsigned steps_of_loops = 32;  // transitions in which counted walkers run all loops
        return places ? steps_of_loops * histories_of_loops(shape) : 0;
    }
};

/// Those of a launch.
inline const Walks& walks_of(const bench::Problem* problem) { return static_cast<const Walks&>(*problem); }

// Where the counts of a launch are.
using bench::first_tally, bench::histories_count, bench::transitions_count;

/// Histories that a block can take one by one with a counter of 32 bits: each of its threads takes one too many.
inline constexpr std::uint64_t most_of_share = UINT32_MAX - 1024;

/// For Design::histories_of_block: where the block takes them one by one, and where each of its threads, which are a warp at
/// least, has as many.
constexpr std::uint64_t histories_of_share(double, std::uint32_t) { return most_of_share; }
constexpr std::uint64_t histories_of_threads(double, std::uint32_t) { return std::uint64_t{32} * UINT32_MAX; }

}  // namespace mcls
