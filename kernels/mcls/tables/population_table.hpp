// The table of a population, made on the host from B of the Walks. Kernel files include this file, so it is C++17.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mcls/shared/population.cuh"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// Places in an order in which warps have lanes with as many walkers.
struct PopulationTable {
    std::uint32_t slots;  // of a place
    std::vector<std::uint32_t> state, start, next;
    std::vector<std::uint8_t> forks_of;
    std::vector<Forks> forks;

    template <class Place = OnHost>
    Population view(const Walks& walks, Place&& place = {}) const {
        const double weight = walks.starts.start.front().weight;
        return {{walks.starts.view(place), Strata::of(walks.histories), place(start)},
                walks.n,
                walks.limits.steps,
                slots,
                place(state),
                place(forks_of),
                place(forks),
                place(next),
                to_fixed((weight < 0 ? -weight : weight) * walks.scale)};
    }
};

/// Throws bench::UsageError if a row of B has too many entries, or rows differ too much in their sizes. Rows must not be above
/// one.
PopulationTable population_table(const Walks& walks);

}  // namespace mcls
