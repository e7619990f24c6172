// Rows as wide as they need, the short ones first, introduced by v19.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/tables.cuh"

namespace mcls {

/// A state as histories carry it: its place in the order of rows, 15 bits, and above them how many bits its row has.
struct ShortState {
    static constexpr std::uint32_t place_bits = 15, bits = 19, mask = (1u << bits) - 1, absorbed = mask;
    static constexpr std::uint32_t most_states = (1u << place_bits) - 1;

    __host__ __device__ static __forceinline__ std::uint32_t of(std::uint32_t place, std::uint32_t row_bits) {
        return place | row_bits << place_bits;
    }
    __host__ __device__ static __forceinline__ std::uint32_t place(std::uint32_t state) {
        return state & ((1u << place_bits) - 1);
    }
    __host__ __device__ static __forceinline__ std::uint32_t row_bits(std::uint32_t state) {
        return state >> place_bits;
    }
};

/// A slot of a row: two entries, which share its parts. A slot has 2^25 parts, and all slots of a row have at most 2^32, as
/// many as a word has values. The factor is the sum of the row, in size: that of exact probabilities. What parts miss of the
/// probabilities is in the factor of the first part of each slot alone, which is elsewhere. So the mean is exact, and one load
/// makes almost every transition.
struct alignas(16) ShortSlot {
    /// From the lowest bit: both states, 19 bits each; whether the second's factor has the other sign, 1 bit; how many parts the
    /// first one has, 25 bits.
    std::uint64_t choice;
    double factor;  // of the first one

    static constexpr std::uint32_t end_bits = 25, part = 1u << (32 - end_bits);

    /// The first one has parts 0 to end - 1, at least one; the second has the others, at least one.
    __host__ __device__ static ShortSlot of(std::uint32_t first, std::uint32_t end, std::uint32_t second,
                                            bool other_sign, double factor) {
        const std::uint64_t high = end * part | (other_sign ? part / 2 : 0);
        return {high << 32 | std::uint64_t{second} << ShortState::bits | first, factor};
    }

    /// What the bits of a word after those of the slot choose, in the highest bits of `rest`.
    __host__ __device__ __forceinline__ Move chosen_by(std::uint32_t rest) const {
        const auto high = static_cast<std::uint32_t>(choice >> 32);
        const bool second = rest >= (high & ~(part - 1));
        const auto next = static_cast<std::uint32_t>(second ? choice >> ShortState::bits : choice) & ShortState::mask;
        return {next == ShortState::absorbed ? absorbed : next, signed_by(second ? high * to_sign : 0)};
    }

 private:
    static constexpr std::uint32_t sign = 1u << 31, to_sign = sign / (part / 2);

    /// The factor, with the other sign if the highest bit is set.
    __host__ __device__ __forceinline__ double signed_by(std::uint32_t change) const {
#ifdef __CUDA_ARCH__
        return __hiloint2double(__double2hiint(factor) ^ static_cast<int>(change & sign), __double2loint(factor));
#else
        return (change & sign) == 0 ? factor : -factor;
#endif
    }
};
static_assert(sizeof(ShortSlot) == 16);

/// What the first part of a slot leads to, if a second word decides: one entry below the threshold, another one from there on.
/// The highest bit of a state says whether its factor is negative.
struct RestSlot {
    std::uint32_t threshold, next, alias;

    static constexpr std::uint32_t bits = 31;  // of a word: with 32 the threshold of a full slot would not fit
    static constexpr std::uint32_t negative = 1u << 31;

    /// `factor`: of the row, in size.
    __host__ __device__ __forceinline__ Move chosen_by(std::uint32_t word, double factor) const {
        const std::uint32_t chosen = word >> (32 - bits) < threshold ? next : alias;
        const std::uint32_t state = chosen & ShortState::mask;
        return {state == ShortState::absorbed ? absorbed : state, (chosen & negative) == 0 ? factor : -factor};
    }
};

/// Rows of 2^bits slots of equal probability, bits as each needs. They are in the order of their sizes, so that equal ones
/// follow each other, and a state's row is found without a load.
struct ShortRows {
    std::uint32_t n;
    std::uint32_t base[16];  // of rows of so many bits: where the row of the state in place 0 would begin, modulo 2^32
    const ShortSlot* slots;
    const double* first_factors;    // of the first part of each slot
    const std::uint32_t* entry_of;  // of x, of the state in each place

    /// The leading bits of u choose the slot.
    __host__ __device__ __forceinline__ std::uint32_t slot_of(std::uint32_t state, std::uint32_t u) const {
        const std::uint32_t bits = ShortState::row_bits(state);
        return base[bits] + with_leading_bits(ShortState::place(state), u, bits);
    }

    __host__ __device__ __forceinline__ Move operator()(std::uint32_t state, std::uint32_t u) const {
        const std::uint32_t bits = ShortState::row_bits(state), slot = slot_of(state, u);
        Move move = slots[slot].chosen_by(u << bits);
        if (u << bits < ShortSlot::part) move.factor = first_factors[slot];
        return move;
    }
};

}  // namespace mcls
