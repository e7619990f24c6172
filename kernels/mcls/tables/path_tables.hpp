// The tables of steps whose histories move along paths of several transitions, made on the host from B of the Walks. Kernel
// files include this file, so it is C++17.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mcls/device/equal_slots.cuh"
#include "kernels/mcls/device/quarter_paths.cuh"
#include "kernels/mcls/problem/walks.hpp"

namespace mcls {

struct Histories;  // analysis/histories.hpp

struct QuarterPathTable {
    std::vector<std::uint16_t> next;
    std::vector<std::uint32_t> direction;

    QuarterPaths view(const Walks& walks) const;
};

/// Throws bench::UsageError unless all entries of H are positive multiples of 1/4, rows of B add up to at most 1, b has one
/// sign, and states are at most QuarterPaths::most_states.
QuarterPathTable quarter_path_table(const Walks& walks);

/// For Design::check: throws bench::UsageError as quarter_path_table().
void check_quarter_paths(const Walks& walks);

/// For Design::histories_of_block: so many that the mean count of a cell is at most half of what its 32 bits hold. Directions
/// are equally likely, so a cell has its share of the paths that begin at its state, and those are not more than the visits.
std::uint64_t histories_of_cells(double visits);

/// The same for the counters of paths, which have the bits that a state leaves of 32.
std::uint64_t histories_of_paths(double visits);

/// The slots of each entry of a row of B, of `slots` ones, nearly in proportion to the sizes of the entries: at least one each.
/// Largest remainders; the first one of equals. At most `slots` entries.
std::vector<std::uint32_t> slot_shares(const std::vector<double>& row, std::uint32_t slots);

/// The slots that a transition of paths of `length` transitions has: 64, 8 or 4.
constexpr std::uint32_t slots_of_transition(std::uint32_t length) { return length == 1 ? 64 : length == 2 ? 8 : 4; }

/// Of paths: 3 transitions where rows have at most 4 entries, otherwise 2.
std::uint32_t length_of_paths(const Walks& walks);

struct SlotTable {
    std::uint32_t n, cells;
    std::vector<std::uint8_t> class_of;
    std::vector<Slot> slots;
    std::vector<double> factors;
    std::vector<Between> between;

    SlotRows view() const {
        return {n,
                static_cast<std::uint32_t>(slots.size() / Slot::slots),
                static_cast<std::uint32_t>(factors.size()),
                cells,
                class_of.data(),
                slots.data(),
                factors.data(),
                between.data()};
    }
};

/// Throws bench::UsageError if rows have too many entries, reach too far, or differ too much.
SlotTable slot_table(const Walks& walks, std::uint32_t length);

/// For Design::check: they throw bench::UsageError as slot_table().
void check_equal_slots(const Walks& walks);
void check_paths(const Walks& walks);

/// The histories as slots realise them: their probabilities, and the most transitions.
/// Throws bench::UsageError if rows have too many entries.
Histories on_slots(Histories histories, bool paths);

/// The most quads of a history of these limits. Throws bench::UsageError if there is none.
std::uint32_t quads_of(const Limits& limits, std::uint32_t length);

/// Transitions of a history with a cutoff, from a few of them.
double mean_length_on_slots(const Walks& walks, bool paths);

/// Histories of a launch on the host. Throws bench::UsageError if a history may have fewer transitions than a quad of words.
template <std::uint32_t length>
SlotWalks<length> slot_walks(const Walks& walks, const SlotRows& rows) {
    return {walks.starts.view(), Strata::of(walks.histories), rows, quads_of(walks.limits, length), walks.limits.cutoff,
            walks.scale};
}

}  // namespace mcls
