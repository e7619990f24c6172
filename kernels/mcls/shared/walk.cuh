// The arithmetic of a history. Kernels, host replays and the program on the CPU run this code and get the same sums, bit
// for bit: the random words depend on the history alone, weights are products of doubles (without a sum there is no FMA),
// and tallies are whole numbers.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "kernels/mcls/shared/tables.cuh"
#include "kernels/random/philox.cuh"

namespace mcls {

using PhiloxKeys = rng::PhiloxKeys<10>;

/// The keys of a run.
__host__ __device__ __forceinline__ PhiloxKeys keys_of(std::uint64_t seed) {
    return rng::philox_keys<10>({{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
}

/// Identifies a history of a run, and so its random words.
struct HistoryId {
    std::uint32_t launch;
    std::uint64_t history;  // of the launch
};

/// Words 4 `number` to 4 `number` + 3 of a history.
__host__ __device__ __forceinline__ rng::PhiloxCounter quad_of(const PhiloxKeys& keys, HistoryId id,
                                                               std::uint32_t number) {
    return rng::philox4x32(
        {{number, id.launch, static_cast<std::uint32_t>(id.history), static_cast<std::uint32_t>(id.history >> 32)}},
        keys);
}

/// The random words of a history in their order: two for the start, then one for each transition.
class Words {
 public:
    __host__ __device__ __forceinline__ Words(const PhiloxKeys& keys, HistoryId id)
        : keys_(keys), id_(id), quad_(quad_of(keys, id, 0)) {}

    /// The words that choose the start.
    __host__ __device__ __forceinline__ std::uint64_t start() const {
        return (std::uint64_t{quad_.word[0]} << 32) | quad_.word[1];
    }

    /// The word of the next transition.
    __host__ __device__ __forceinline__ std::uint32_t next() {
        if (next_ % 4 == 0) {
            quad_ = quad_of(keys_, id_, next_ / 4);
        }
        const std::uint32_t lane = next_++ % 4;
        const std::uint32_t low = lane == 0 ? quad_.word[0] : quad_.word[1];
        const std::uint32_t high = lane == 2 ? quad_.word[2] : quad_.word[3];
        return lane < 2 ? low : high;
    }

 private:
    const PhiloxKeys& keys_;
    HistoryId id_;
    rng::PhiloxCounter quad_;
    std::uint32_t next_ = 2;
};

/// When a history ends, if it is not absorbed before.
struct Limits {
    std::uint32_t steps;  // transitions at most, below 2^32 - 2
    double cutoff;        // a history ends when its weight is below this times that of its start
};

/// Walks a history from its start to its end. Calls rows(state, words.next()) for each transition and visit(state, weight)
/// for each state, the start too, and returns the number of transitions.
template <class Rows, class RandomWords, class Visit>
__host__ __device__ __forceinline__ std::uint32_t walk(Start start, const Rows& rows, const Limits& limits,
                                                       RandomWords& words, Visit visit) {
    std::uint32_t state = start.state;
    double weight = start.weight;
    const double least = limits.cutoff * fabs(weight);
    visit(state, weight);
    std::uint32_t transitions = 0;
    while (transitions < limits.steps && !(fabs(weight) < least)) {
        const Move move = rows(state, words.next());
        if (move.next == absorbed) {
            break;
        }
        transitions++;
        state = move.next;
        weight *= move.factor;
        visit(state, weight);
    }
    return transitions;
}

/// Rounds to the nearest whole number, ties to even. What 64 bits do not hold becomes the largest number of its sign.
__host__ __device__ __forceinline__ std::int64_t to_fixed(double value) {
#ifdef __CUDA_ARCH__
    return __double2ll_rn(value);
#else
    constexpr double end = 9223372036854775808.0;  // 2^63
    return value >= end ? INT64_MAX : value < -end ? INT64_MIN : std::llrint(value);
#endif
}

/// Histories that start at a state drawn from |b| and are tallied in each state that they visit. `rows` are those of the
/// transposed H.
template <class Rows>
struct Adjoint {
    Starts starts;
    Rows rows;
    Limits limits;
    double scale;  // 2^bits of the tallies: weights start scaled, which changes their exponents only

    /// The start of a history that a random word chooses, with its scaled weight.
    __host__ __device__ __forceinline__ Start start(std::uint64_t, std::uint64_t random) const {
        const Start start = starts(random);
        return {start.state, start.weight * scale};
    }

    /// Calls add(entry of x, amount) for each visit and returns the number of transitions.
    template <class Add>
    __host__ __device__ __forceinline__ std::uint32_t operator()(const PhiloxKeys& keys, HistoryId id, Add add) const {
        Words words(keys, id);
        return walk(start(id.history, words.start()), rows, limits, words,
                    [&](std::uint32_t state, double weight) { add(state, to_fixed(weight)); });
    }
};

/// Histories that start at the entry of x that they are tallied in. `rows` are those of H.
template <class Rows>
struct Forward {
    const double* b;
    std::uint64_t histories_of_entry;  // history h starts at entry h / this
    Rows rows;
    Limits limits;
    double scale;  // 2^bits of the tallies: weights start scaled, which changes their exponents only

    __host__ __device__ __forceinline__ std::uint32_t entry_of(std::uint64_t history) const {
        return static_cast<std::uint32_t>(history / histories_of_entry);
    }

    /// Calls add(entry of x, amount) for each visit and returns the number of transitions.
    template <class Add>
    __host__ __device__ __forceinline__ std::uint32_t operator()(const PhiloxKeys& keys, HistoryId id, Add add) const {
        Words words(keys, id);
        const std::uint32_t entry = entry_of(id.history);
        return walk(Start{entry, scale}, rows, limits, words,
                    [&](std::uint32_t state, double weight) { add(entry, to_fixed(weight * b[state])); });
    }
};

}  // namespace mcls
