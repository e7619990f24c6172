// The tables of steps whose histories move along paths of several transitions, made on the host from B of the Walks. Kernel
// files include this file, so it is C++17.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mcls/shared/counted_walkers.cuh"
#include "kernels/mcls/shared/equal_slots.cuh"
#include "kernels/mcls/shared/quarter_paths.cuh"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

struct Sparse;  // system/sparse.hpp

struct QuarterPathTable {
    std::vector<std::uint16_t> next;  // and one more: vector registers read two bytes more than an entry
    std::vector<std::uint32_t> direction;

    template <class Place = OnHost>
    QuarterPaths view(const Walks& walks, Place&& place = {}) const {
        return {walks.starts.view(place),
                Strata::of(walks.histories),
                walks.n,
                place(next),
                place(direction),
                to_fixed(walks.starts.start.front().weight * walks.scale)};
    }
};

/// Throws bench::UsageError unless all entries of H are positive multiples of 1/4, rows of B add up to at most 1, b has one
/// sign, and states are at most QuarterPaths::most_states.
QuarterPathTable quarter_path_table(const Walks& walks);

/// Places in an order in which warps have lanes with as many walkers, and every fourth warp as many as the others.
struct CountedTable {
    std::vector<std::uint32_t> state, start;
    std::vector<Slots> next;

    template <class Place = OnHost>
    CountedWalkers view(const Walks& walks, Place&& place = {}) const {
        return {{walks.starts.view(place), Strata::of(walks.histories), place(start)},
                walks.n,
                walks.limits.steps,
                place(state),
                place(next),
                to_fixed(walks.starts.start.front().weight * walks.scale)};
    }
};

/// Throws bench::UsageError as quarter_path_table(), but for any number of states.
CountedTable counted_table(const Walks& walks);

/// For Design::histories_of_block: so many that the mean count of a cell is at most half of what its 32 bits hold. Directions
/// are equally likely, so a cell has its share of the paths that begin at its state, and those are not more than the visits.
std::uint64_t histories_of_cells(double visits, std::uint32_t n);

/// The same for the counters of paths, which have the bits that a state leaves of 32.
std::uint64_t histories_of_paths(double visits, std::uint32_t n);

/// The slots of each entry of a row of B, of `slots` ones, nearly in proportion to the sizes of the entries: at least one each.
/// Largest remainders; the first one of equals. At most `slots` entries.
std::vector<std::uint32_t> slot_shares(const std::vector<double>& row, std::uint32_t slots);

/// The slots that a transition of paths of `length` transitions has: 64, 8 or 4.
constexpr std::uint32_t slots_of_transition(std::uint32_t length) { return length == 1 ? 64 : length == 2 ? 8 : 4; }

/// Of paths: 3 transitions where rows have at most 4 entries, otherwise 2.
std::uint32_t length_of_paths(const Walks& walks);

/// The transitions of a slot, for rows that begin at these entries of B: 1, or those of paths.
std::uint32_t length_on_slots(const std::vector<std::uint64_t>& first, bool paths);

struct SlotTable {
    std::uint32_t n, cells;
    std::vector<std::uint8_t> class_of;
    std::vector<Slot> slots;
    std::vector<double> factors;
    std::vector<Between> between;

    template <class Place = OnHost>
    SlotRows view(Place&& place = {}) const {
        return {n,
                static_cast<std::uint32_t>(slots.size() / Slot::slots),
                static_cast<std::uint32_t>(factors.size()),
                cells,
                place(class_of),
                place(slots),
                place(factors),
                place(between)};
    }
};

/// Throws bench::UsageError if rows have too many entries, reach too far, or differ too much.
SlotTable slot_table(const Walks& walks, std::uint32_t length);

/// The probabilities of the entries of B as slots realise them. Throws bench::UsageError if rows have too many entries.
std::vector<double> slot_probabilities(const Sparse& b, std::uint32_t length);

/// The most quads of a history of these limits. Throws bench::UsageError if there is none.
std::uint32_t quads_of(const Limits& limits, std::uint32_t length);

/// Transitions of a history with a cutoff, from a few of them.
double mean_length_on_slots(const Walks& walks, bool paths);

/// Histories of a launch. Throws bench::UsageError if a history may have fewer transitions than a quad of words.
template <std::uint32_t length, class Place = OnHost>
SlotWalks<length> slot_walks(const Walks& walks, const SlotTable& table, Place&& place = {}) {
    return {walks.starts.view(place),       Strata::of(walks.histories), table.view(place),
            quads_of(walks.limits, length), walks.limits.cutoff,         walks.scale};
}

}  // namespace mcls
