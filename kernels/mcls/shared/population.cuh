// One population of counted walkers for all blocks, introduced by v24: for rows of few entries.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/counted_walkers.cuh"

namespace mcls {

/// How walkers part among the slots of a row, by fair bits: a tree in which a walker goes on by a bit of its own until it is at a
/// leaf. A kind stands for 1, 2 or 4 slots of the same probability, and has a leaf 2^-k for each digit 2^-k of its own: D. Knuth,
/// A. Yao, "The complexity of nonuniform random number generation", 1976. Fair bits then choose among the slots of a kind.
struct Forks {
    static constexpr unsigned most_slots = 8;
    static constexpr unsigned digits = 32;                             // of a probability
    static constexpr unsigned most_nodes = (most_slots - 1) * digits;  // fewer of a depth than kinds
    static constexpr unsigned most_open = 2 * most_slots;              // nodes of a depth and the next one
    static constexpr std::uint8_t node = most_slots;  // as a child: the next node of the order; else a kind

    /// By depth, and those of a depth in the order of their parents. None: all walkers are of the first kind.
    struct Children {
        std::uint8_t of_zero, of_one;
    };
    std::uint32_t nodes, kinds;
    Children child[most_nodes];
    std::uint8_t first[most_slots];       // slot of each kind
    std::uint8_t log2_slots[most_slots];  // of each kind
};

/// A place is a state with its slots, and has two numbers of walkers, of either sign. All walkers of a population move at once.
struct Population : CountedStarts {
    static constexpr std::uint32_t turned = 1u << 31;  // in a slot: there the sign is the other one
    static constexpr std::uint32_t gone = ~turned;     // the slot of histories that end

    std::uint32_t n;
    std::uint32_t steps;           // transitions at most
    std::uint32_t slots;           // of a place
    const std::uint32_t* state;    // of each place
    const std::uint8_t* forks_of;  // of each place: its number in `forks`
    const Forks* forks;
    const std::uint32_t* next;  // of each place, `slots` of them: places
    std::int64_t amount;        // that a visit adds to a tally, or takes away

    /// Populations of a launch: one, or as many as give each thread a place.
    __host__ __device__ static std::uint32_t populations(std::uint32_t n, std::uint64_t threads) {
        return threads < n ? 1 : static_cast<std::uint32_t>(threads / n);
    }

    __host__ __device__ __forceinline__ bool starts_negative(std::uint32_t place) const {
        return starts.start[start[place]].weight < 0;
    }
};

}  // namespace mcls
