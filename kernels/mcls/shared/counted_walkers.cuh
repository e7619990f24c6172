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

/// A place is a state with its four slots of probability 1/4. All walkers of a block move at once, and a place only has their
/// number. Block b of a launch has the histories that are b modulo the number of blocks, with the starts of QuarterPaths.
struct CountedWalkers {
    static constexpr std::uint32_t no_start = UINT32_MAX;

    Starts starts;  // all of the same weight
    Strata strata;
    std::uint32_t n;
    std::uint32_t steps;         // transitions at most
    const std::uint32_t* state;  // of each place
    const std::uint32_t* start;  // of each place: its number in `starts`, or no_start
    const Slots* next;           // of each place
    std::int64_t amount;         // that a visit adds to a tally

    /// Walkers that start in a place. Histories start in the order of their numbers; at most one of them decides by its word
    /// whether it starts before or after the end of a start.
    __host__ __device__ __forceinline__ std::uint32_t starting(std::uint32_t place, const PhiloxKeys& keys,
                                                               std::uint32_t launch, std::uint32_t block,
                                                               std::uint32_t blocks) const {
        const std::uint32_t number = start[place];
        if (number == no_start) return 0;
        const auto of_block = [&](std::uint64_t histories) { return (histories + (blocks - 1 - block)) / blocks; };
        const std::uint64_t before = number == 0 ? 0 : of_block(histories_until(number - 1, keys, launch));
        return static_cast<std::uint32_t>(of_block(histories_until(number, keys, launch)) - before);
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

}  // namespace mcls
