// Forward histories that an estimate of x guides, on short rows.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/short_rows.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls {

/// With d the estimate and D its diagonal matrix, `rows` are those of D^-1 H D. Their almost optimal probabilities are the guided
/// ones of H, so the factor of a transition depends on its row alone, as short rows need. Weights are in units of d: a history
/// starts with the d of its entry, and a visit adds weight times b / d.
///
/// Where d is close to x, all histories are nearly the same, and a factor of its own in the first part of a slot, as v19 has,
/// would be seen. So a word that draws a first part leaves the choice to a second one, which makes probabilities multiples of
/// 2^-56 or less. One transition of 2^25 needs it, in rows of up to 2^7 slots.
struct GuidedShortRows {
    const Start* starts;         // of each entry of x: its state, and its d
    const double* b;             // of each place: b / d
    double entries_per_history;  // 1 / histories of an entry
    ShortRows rows;
    const RestSlot* rest;  // of each slot
    Limits limits;
    double scale;  // 2^bits of the tallies: weights start scaled, which changes their exponents only

    /// Exact below 2^51 histories: half a history away from the next entry is farther than the product is rounded.
    __host__ __device__ __forceinline__ std::uint32_t entry_of(std::uint64_t history) const {
        return static_cast<std::uint32_t>((static_cast<double>(history) + 0.5) * entries_per_history);
    }

    __host__ __device__ __forceinline__ Start start(std::uint32_t entry) const {
        return {starts[entry].state, starts[entry].weight * scale};
    }

    __host__ __device__ __forceinline__ Move move(std::uint32_t state, std::uint32_t u, const PhiloxKeys& keys,
                                                  HistoryId id) const {
        // Numbers of quads that no first word comes from. A history that needs two in one state has the same one twice, too
        // rarely to be seen.
        constexpr std::uint32_t second_words = 1u << 31;
        const std::uint32_t slot = rows.slot_of(state, u), part = u << ShortState::row_bits(state);
        const ShortSlot chosen = rows.slots[slot];
        if (part >= ShortSlot::part) return chosen.chosen_by(part);
        const std::uint32_t word = quad_of(keys, id, second_words | ShortState::place(state)).word[0];
        return rest[slot].chosen_by(word, fabs(chosen.factor));
    }

    /// What a visit adds to the entry.
    __host__ __device__ __forceinline__ std::int64_t amount(std::uint32_t state, double weight) const {
        return to_fixed(weight * b[ShortState::place(state)]);
    }

    /// Calls add(entry of x, amount) for each visit and returns the number of transitions.
    template <class Add>
    __host__ __device__ __forceinline__ std::uint32_t operator()(const PhiloxKeys& keys, HistoryId id, Add add) const {
        Words words(keys, id);
        const std::uint32_t entry = entry_of(id.history);
        const auto next = [&](std::uint32_t state, std::uint32_t u) { return move(state, u, keys, id); };
        return walk(start(entry), next, limits, words,
                    [&](std::uint32_t state, double weight) { add(entry, amount(state, weight)); });
    }
};

}  // namespace mcls
