// Counts of walkers in place of walkers, introduced by v23: for rows of four equal slots.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls {

/// The four slots of a place: the places that they lead to, or the number of places, where histories have ended.
struct alignas(16) Slots {
    std::uint32_t place[4];
};

/// How many histories of a launch start in each place of a population, with the stratified starts of QuarterPaths. A launch
/// has as many populations, and number p of them the histories that are p modulo their number.
struct CountedStarts {
    static constexpr std::uint32_t no_start = UINT32_MAX;

    Starts starts;  // all of the same weight, but for its sign
    Strata strata;
    const std::uint32_t* start;  // of each place: its number in `starts`, or no_start

    /// Histories start in the order of their numbers; at most one of them decides by its word whether it starts before or after
    /// the end of a start.
    __host__ __device__ __forceinline__ std::uint32_t starting(std::uint32_t place, const PhiloxKeys& keys,
                                                               std::uint32_t launch, std::uint32_t population,
                                                               std::uint32_t populations) const {
        const std::uint32_t number = start[place];
        if (number == no_start) return 0;
        const auto of_it = [&](std::uint64_t all) { return (all + (populations - 1 - population)) / populations; };
        const std::uint64_t before = number == 0 ? 0 : of_it(histories_until(number - 1, keys, launch));
        return static_cast<std::uint32_t>(of_it(histories_until(number, keys, launch)) - before);
    }

 private:
    /// Histories that begin in the starts 0 to `number`.
    __host__ __device__ __forceinline__ std::uint64_t histories_until(std::uint32_t number, const PhiloxKeys& keys,
                                                                      std::uint32_t launch) const {
        const std::uint64_t last = starts.last[number], history = strata.history_of(last);
        const std::uint64_t word = quad_of(keys, {launch, history}, 0).word[3];
        return history + (strata(history, word << 32) <= last ? 1 : 0);
    }
};

/// A place is a state with its four slots of probability 1/4. A population is a block: all its walkers move at once, and a place
/// only has their number.
struct CountedWalkers : CountedStarts {
    std::uint32_t n;
    std::uint32_t steps;         // transitions at most
    const std::uint32_t* state;  // of each place
    const Slots* next;           // of each place
    std::int64_t amount;         // that a visit adds to a tally
};

}  // namespace mcls
