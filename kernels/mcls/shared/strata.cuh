// Stratified starts, introduced by v14.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/walk.cuh"

namespace mcls {

/// Parts of the words of starts, 0 to 2^64 - 1, one for each history of a launch, in their order. Sizes differ by 1.
struct Strata {
    std::uint64_t size;    // of most parts
    std::uint64_t larger;  // how many, the first ones, have one word more

    /// At least 2 histories.
    __host__ __device__ static Strata of(std::uint64_t histories) {
        const std::uint64_t size = (UINT64_MAX - histories + 1) / histories + 1;  // 2^64 / histories
        return {size, std::uint64_t{0} - size * histories};
    }

    /// The word of a history's part that a random word chooses.
    __host__ __device__ __forceinline__ std::uint64_t operator()(std::uint64_t history, std::uint64_t random) const {
        const std::uint64_t mine = size + (history < larger ? 1 : 0);
        return first_of(history) + high_product(random, mine);
    }

    /// The least word of a part.
    __host__ __device__ __forceinline__ std::uint64_t first_of(std::uint64_t history) const {
        return history * size + (history < larger ? history : larger);
    }

    /// The history whose part has this word.
    __host__ __device__ __forceinline__ std::uint64_t history_of(std::uint64_t word) const {
        const std::uint64_t in_larger = larger * (size + 1);
        return word < in_larger ? word / (size + 1) : larger + (word - in_larger) / size;
    }

 private:
    __host__ __device__ static __forceinline__ std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
        return __umul64hi(a, b);
#else
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((Wide{a} * b) >> 64);
#endif
    }
};

/// Histories as those of Adjoint, but each starts in its own stratum.
template <class AnyRows>
struct Stratified {
    Starts starts;
    Strata strata;
    AnyRows rows;
    Limits limits;
    double scale;  // 2^bits of the tallies

    /// The start of a history that a random word chooses, with its scaled weight.
    __host__ __device__ __forceinline__ Start start(std::uint64_t history, std::uint64_t random) const {
        const Start start = starts(strata(history, random));
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

}  // namespace mcls
