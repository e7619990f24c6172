// The tables from which a history draws its start and its transitions. tables/tables.hpp makes them.
// They are sampled with whole numbers, so a transition is the same one on every machine.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace mcls {

/// In place of a state: the history has ended.
inline constexpr std::uint32_t absorbed = UINT32_MAX;

/// The state that a history enters.
struct Move {
    std::uint32_t next;  // or absorbed
    double factor;       // of the weight
};

/// The first of `size` ascending values that is not below u; `size` if there is none.
template <class Value, class At>
__host__ __device__ __forceinline__ std::uint32_t first_not_below(Value u, std::uint32_t size, At value_at) {
    std::uint32_t first = 0;
    while (size > 0) {
        const std::uint32_t half = size / 2;
        if (value_at(first + half) < u) {
            first += half + 1;
            size -= half + 1;
        } else {
            size = half;
        }
    }
    return first;
}

/// value 2^bits + the leading bits of u, of which there are fewer than 32.
__host__ __device__ __forceinline__ std::uint32_t with_leading_bits(std::uint32_t value, std::uint32_t u,
                                                                    std::uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __funnelshift_l(u, value, bits);
#else
    return static_cast<std::uint32_t>((((std::uint64_t{value} << 32) | u) << bits) >> 32);
#endif
}

/// Where a history starts.
struct Start {
    std::uint32_t state;
    double weight;
};

/// The states that a history may start at, by the last u that chooses each. A guide has the first start that the leading bits
/// of u leave open, so that one more step finds it in the mean. H.-C. Chen and Y. Asau, "On generating random variates from an
/// empirical distribution", AIIE Trans. 6, 1974.
struct Starts {
    std::uint32_t shift;         // of u to its leading bits
    const std::uint32_t* guide;  // by these bits
    const std::uint64_t* last;   // ascending, to 2^64 - 1
    const Start* start;

    /// The bits of the guide of so many starts: a place for each, or more.
    __host__ __device__ static constexpr std::uint32_t guide_bits(std::uint64_t starts) {
        std::uint32_t bits = 1;
        while (starts >> bits != 0) bits++;
        return bits;
    }

    __host__ __device__ __forceinline__ Start operator()(std::uint64_t u) const {
        std::uint32_t place = guide[u >> shift];
        while (last[place] < u) place++;
        return start[place];
    }
};

/// An entry of a row, by the last u that chooses it.
struct CdfEntry {
    std::uint32_t last;  // ascends in a row
    std::uint32_t next;
    double factor;
};
static_assert(sizeof(CdfEntry) == 16);

/// Rows that are searched by their cumulative probabilities.
struct CdfRows {
    std::uint32_t n;
    const std::uint32_t* first;  // of each row, and the number of all entries: n + 1 values
    const CdfEntry* entries;

    __host__ __device__ __forceinline__ Move operator()(std::uint32_t state, std::uint32_t u) const {
        const CdfEntry* const row = entries + first[state];
        const std::uint32_t size = first[state + 1] - first[state];
        const std::uint32_t place = first_not_below(u, size, [row](std::uint32_t i) { return row[i].last; });
        return place == size ? Move{absorbed, 0} : Move{row[place].next, row[place].factor};
    }
};

/// A slot of a row: the entry `next` below the threshold, `alias` from there on.
struct alignas(16) AliasSlot {
    std::uint32_t threshold;
    std::uint32_t next;
    std::uint32_t alias;
    std::uint32_t factor;  // where the factor of `next` stands; that of `alias` follows it
};
static_assert(sizeof(AliasSlot) == 16);

/// Rows of 2^bits slots of equal probability: one load chooses a transition, however long the row. A. J. Walker, "An
/// efficient method for generating discrete random variables with general distributions", ACM Trans. Math. Softw. 3, 1977.
struct AliasRows {
    std::uint32_t n;
    std::uint32_t bits;  // below 32
    const AliasSlot* slots;
    const double* factors;

    __host__ __device__ __forceinline__ Move operator()(std::uint32_t state, std::uint32_t u) const {
        const AliasSlot slot = slots[slot_of(state, u)];
        const bool is_alias = (u & (UINT32_MAX >> bits)) >= slot.threshold;
        return {is_alias ? slot.alias : slot.next, factors[slot.factor + (is_alias ? 1 : 0)]};
    }

    /// The leading bits of u choose the slot.
    __host__ __device__ __forceinline__ std::uint32_t slot_of(std::uint32_t state, std::uint32_t u) const {
        return with_leading_bits(state, u, bits);
    }
};

}  // namespace mcls
