// Rows of 64 equal slots, introduced by v17, and of paths, introduced by v18.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/shared/tables.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls {

/// A path of `length` transitions: six bits of a word choose one of the 64 paths from a state, so many for each transition. The
/// probability of a transition is a multiple of 1/64, 1/8 or 1/4, which its factor makes up for. States whose paths are alike,
/// relative to them, share a class and its slots.
struct Slot {
    std::uint32_t bits;  // from the lowest: states to go, 16 bits with sign; place of the factor, 10; cell, 6

    __host__ __device__ static Slot of(std::int32_t delta, std::uint32_t factor, std::uint32_t cell) {
        return {static_cast<std::uint16_t>(delta) | factor << 16 | cell << 26};
    }
    __host__ __device__ __forceinline__ std::int32_t delta() const { return static_cast<std::int16_t>(bits); }
    __host__ __device__ __forceinline__ std::uint32_t factor() const { return bits >> 16 & (most_factors - 1); }
    /// Which of the state's cells a path is tallied in: all of its transitions but the last one.
    __host__ __device__ __forceinline__ std::uint32_t cell() const { return bits >> 26; }

    static constexpr std::uint32_t most_factors = 1024, most_cells = 64, most_delta = 32767, slots = 64;
};

/// The transitions that the paths of a cell have in common, and so the states between that they visit.
struct Between {
    std::int32_t delta[2];  // from the first state
    double factor[2];       // of the weight there
};

struct SlotRows {
    std::uint32_t n, classes, factors_size;
    std::uint32_t cells;           // of a state
    const std::uint8_t* class_of;  // of each state
    const Slot* slots;             // of each class, 64
    const double* factors;
    const Between* between;  // of each class, `cells`
};

inline constexpr std::uint32_t slot_paths_of_word = 5, slot_words_of_quad = 3;

/// Transitions for a quad of words, on paths of `length`.
__host__ __device__ constexpr std::uint32_t transitions_of_quad(std::uint32_t length) {
    return slot_paths_of_word * slot_words_of_quad * length;
}

/// Histories of stratified starts that move along paths of `length` transitions, 15 for a quad of words. After each quad a
/// history ends if its weight is below the cutoff, or if another quad would exceed the limit of steps.
template <std::uint32_t length>
struct SlotWalks {
    Starts starts;
    Strata strata;
    SlotRows rows;
    std::uint32_t most_quads;  // of a history
    double cutoff;
    double scale;

    /// The word that chooses the start of a history, from the last word of its first quad.
    __host__ __device__ __forceinline__ std::uint64_t start_word(std::uint64_t history, std::uint32_t word) const {
        return strata(history, std::uint64_t{word} << 32);
    }

    /// The cell that a path from a state is tallied in.
    __host__ __device__ __forceinline__ std::uint32_t cell_of(std::uint32_t state, Slot slot) const {
        return length == 1 ? state : state * rows.cells + slot.cell();
    }

    /// Transitions of a history of so many quads: the state after its last path is not visited.
    __host__ __device__ static __forceinline__ std::uint32_t transitions_of(std::uint32_t quads) {
        return quads * transitions_of_quad(length) - 1;
    }

    /// The visits of a cell with a tally: calls add(state, amount) for each.
    template <class Add>
    __host__ __device__ __forceinline__ void visits_of(std::uint32_t state, std::uint32_t cell, std::int64_t tally,
                                                       Add add) const {
        add(state, tally);
        const Between between = rows.between[rows.class_of[state] * rows.cells + cell];
        for (std::uint32_t i = 0; i + 1 < length; i++) {
            add(state + static_cast<std::uint32_t>(between.delta[i]),
                to_fixed(static_cast<double>(tally) * between.factor[i]));
        }
    }

    /// Walks a history alone: calls add(cell, amount) for each path and returns the number of transitions.
    template <class Add>
    __host__ __device__ __forceinline__ std::uint32_t operator()(const PhiloxKeys& keys, HistoryId id, Add add) const {
        std::uint32_t quads = 0, state = 0;
        double weight = 0, least = 0;
        do {
            const rng::PhiloxCounter quad = quad_of(keys, id, quads);
            if (quads++ == 0) {
                const Start start = starts(start_word(id.history, quad.word[3]));
                state = start.state;
                weight = start.weight * scale;
                least = cutoff * fabs(weight);
            }
            for (std::uint32_t word = 0; word < slot_words_of_quad; word++) {
                for (std::uint32_t i = 0; i < slot_paths_of_word; i++) {
                    const Slot slot =
                        rows.slots[rows.class_of[state] * Slot::slots + (quad.word[word] >> (6 * i)) % Slot::slots];
                    add(cell_of(state, slot), to_fixed(weight));
                    state += static_cast<std::uint32_t>(slot.delta());
                    weight *= rows.factors[slot.factor()];
                }
            }
        } while (quads < most_quads && !(fabs(weight) < least));
        return transitions_of(quads);
    }
};

}  // namespace mcls
