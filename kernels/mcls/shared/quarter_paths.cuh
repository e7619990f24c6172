// Histories on paths of three transitions, introduced by v16: for rows whose probabilities are quarters.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/shared/tables.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls {

/// A state has four directions of probability 1/4. A path is three of them, two bits each, the first in the lowest bits; each
/// state has 64. A history is tallied by state and the first two directions of its path: its cell. From the cells follow the
/// visits of all states. States are given by their first path, 64 state. In row n are the histories that have ended: all of
/// its paths lead to itself.
struct QuarterPaths {
    static constexpr std::uint32_t paths = 64, cells = 16, path_bits = 6, most_states = 1023;
    static constexpr std::uint32_t paths_of_word = 5, words_of_quad = 3;
    static constexpr std::uint32_t state_bits = 10;  // of the number of a state, or n
    static_assert(most_states < 1u << state_bits);

    Starts starts;  // all of the same weight
    Strata strata;
    std::uint32_t n;
    const std::uint16_t* next;       // of each path of states 0 to n: where it leads
    const std::uint32_t* direction;  // of each state: four states, or n
    std::int64_t amount;             // that a visit adds to a tally

    /// The start of a history, from the last word of its first quad.
    __host__ __device__ __forceinline__ std::uint32_t start_of(std::uint64_t history, std::uint32_t word) const {
        return starts(strata(history, std::uint64_t{word} << 32)).state;
    }

    /// Walks the paths of a word: calls add(4 cell), where a counter of 4 bytes stands, for each. Returns the state after them.
    template <class Next, class Add>
    __host__ __device__ static __forceinline__ std::uint32_t walk_word(std::uint32_t state, std::uint32_t word,
                                                                       Next next, Add add) {
        for (std::uint32_t i = 0; i < paths_of_word; i++) {
            const std::uint32_t rest = word >> (path_bits * i);
            add(state | (rest << 2 & 4 * (cells - 1)));  // a state has no bits there
            state = next(state | (rest & (paths - 1)));
        }
        return state;
    }

    /// The first of the four paths of a cell, each `cells` after the one before.
    __host__ __device__ static __forceinline__ std::uint32_t first_path_of(std::uint32_t cell) {
        return cell / cells * paths + cell % cells;
    }

    /// The visits that a cell stands for: calls add(state) for each.
    template <class Add>
    __host__ __device__ __forceinline__ void visits_of(std::uint32_t cell, Add add) const {
        std::uint32_t state = cell / cells;
        for (std::uint32_t directions = cell % cells, visit = 0; visit < 3 && state != n; visit++, directions /= 4) {
            add(state);
            state = direction[4 * state + directions % 4];
        }
    }

    /// Walks a history alone: calls add(entry of x, amount) for each visit and returns the number of transitions.
    template <class Add>
    __host__ __device__ __forceinline__ std::uint32_t operator()(const PhiloxKeys& keys, HistoryId id, Add add) const {
        std::uint32_t visits = 0, state = 0, number = 0;
        do {
            const rng::PhiloxCounter quad = quad_of(keys, id, number);
            if (number++ == 0) state = paths * start_of(id.history, quad.word[3]);
            for (std::uint32_t i = 0; i < words_of_quad; i++) {
                state = walk_word(
                    state, quad.word[i], [&](std::uint32_t path) { return next[path]; },
                    [&](std::uint32_t place) {
                        visits_of(place / 4, [&](std::uint32_t entry) {
                            visits++;
                            add(entry, amount);
                        });
                    });
            }
        } while (state != paths * n);
        return visits - 1;
    }
};

}  // namespace mcls
