// Tables in double precision, which are searched with a random number u in (0, 1]: the first entry whose cumulative
// probability is not below u. tables/double_tables.hpp makes them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/tables.cuh"

namespace mcls {

/// The states that a history starts at: each has a cumulative probability and the first weight.
struct DoubleStarts {
    std::uint32_t n;
    const double* cdf;
    const double* weight;
};

/// Compressed rows of B, an array for each property of an entry.
struct CsrRows {
    std::uint32_t n;
    const std::uint32_t* first;  // of each row, and the number of all entries: n + 1 values
    const double* cdf;           // ascends in a row, to 1
    const double* factor;        // of the weight
    const std::uint32_t* next;   // state
};

/// An entry of B and all its properties in one sector of memory.
struct alignas(32) RowEntry {
    double value;  // of the entry. Collision estimators do not need it
    double cdf;
    double factor;
    std::uint32_t next;
};
static_assert(sizeof(RowEntry) == 32);

struct StructRows {
    std::uint32_t n;
    const std::uint32_t* first;
    const RowEntry* entries;
};

/// How a kernel loads from tables: through L2 alone, as L1 and L2 usually work, or as data that nobody writes.
/// The host just reads.
struct ThroughL2 {
    template <class T>
    __host__ __device__ static __forceinline__ T load(const T* place) {
#ifdef __CUDA_ARCH__
        return __ldcg(place);
#else
        return *place;
#endif
    }
};
struct Plainly {
    template <class T>
    __host__ __device__ static __forceinline__ T load(const T* place) {
        return *place;
    }
};
struct ReadOnly {
    template <class T>
    __host__ __device__ static __forceinline__ T load(const T* place) {
#ifdef __CUDA_ARCH__
        return __ldg(place);
#else
        return *place;
#endif
    }
};

/// How the three places of a history load: searches, the rest of its start, and the rest of a transition.
template <class InSearch, class InStart = InSearch, class InMove = InSearch>
struct Loads {
    using Search = InSearch;
    using Start = InStart;
    using Move = InMove;
};

/// Draws the state that a history starts at.
template <class Loads>
__host__ __device__ __forceinline__ std::uint32_t start_state(const DoubleStarts& starts, double u) {
    return first_not_below(u, starts.n, [&](std::uint32_t i) { return Loads::Search::load(starts.cdf + i); });
}

/// The start at a state.
template <class Loads>
__host__ __device__ __forceinline__ Start start_at(const DoubleStarts& starts, std::uint32_t state) {
    return {state, Loads::Start::load(starts.weight + state)};
}

/// Draws the transition from a state. A row without entries absorbs.
template <class Loads>
__host__ __device__ __forceinline__ Move move_from(const CsrRows& rows, std::uint32_t state, double u) {
    const std::uint32_t begin = Loads::Move::load(rows.first + state), end = Loads::Move::load(rows.first + state + 1);
    const double* const cdf = rows.cdf + begin;
    const std::uint32_t place =
        begin + first_not_below(u, end - begin, [=](std::uint32_t i) { return Loads::Search::load(cdf + i); });
    if (place == end) {
        return {absorbed, 0};
    }
    return {Loads::Move::load(rows.next + place), Loads::Move::load(rows.factor + place)};
}
template <class Loads>
__host__ __device__ __forceinline__ Move move_from(const StructRows& rows, std::uint32_t state, double u) {
    const std::uint32_t begin = Loads::Move::load(rows.first + state), end = Loads::Move::load(rows.first + state + 1);
    const RowEntry* const row = rows.entries + begin;
    const std::uint32_t place =
        first_not_below(u, end - begin, [=](std::uint32_t i) { return Loads::Search::load(&row[i].cdf); });
    if (place == end - begin) {
        return {absorbed, 0};
    }
    return {Loads::Move::load(&row[place].next), Loads::Move::load(&row[place].factor)};
}

}  // namespace mcls
