// The bits of walkers that are counted and not told apart, of v23.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/pi/shared/bit_counts.cuh"

namespace mcls::v23 {

/// The lowest `n` bits of a word, moved to its upper end: all if n is larger than 31, none if it is smaller than 1.
__device__ __forceinline__ std::uint32_t lowest_bits(std::uint32_t word, int n) {
    std::uint32_t bits;
    asm("shl.b32 %0, %1, %2;" : "=r"(bits) : "r"(word), "r"(max(32 - n, 0)));  // by 32 and more: 0
    return bits;
}

/// How many of these walkers draw a one: a bit each, 32 in a word. Words are drawn in whole rounds, after which each is in
/// the same register again.
template <class Draw>
__device__ __forceinline__ std::uint32_t ones_among(std::uint32_t walkers, Draw& draw) {
    pi::CountInPairs ones;
    int left = static_cast<int>(walkers % (32 * Draw::round));
#pragma unroll 1
    for (std::uint32_t rounds = walkers / (32 * Draw::round); rounds > 0; rounds--) {
#pragma unroll
        for (unsigned i = 0; i < Draw::round; i += 2) {
            const std::uint32_t first = draw(), second = draw();
            ones.add(first, second);
        }
    }
    if (left > 0) {
#pragma unroll
        for (unsigned i = 0; i < Draw::round; i += 2, left -= 64) {
            const std::uint32_t first = draw(), second = draw();
            ones.add(lowest_bits(first, left), lowest_bits(second, left - 32));
        }
    }
    return ones.total();
}

/// The walkers at the nodes of a tree that halves them twice: node 1 has all of them, node k those of nodes 2 k and 2 k + 1, whose
/// next bit is a zero and a one. Nodes 4 to 7 are the four slots.
struct Halves {
    std::uint32_t at[8];

    __device__ __forceinline__ std::uint32_t in_slot(unsigned slot) const { return at[4 + slot]; }
};

/// Each walker draws its two bits. The walkers of a node draw theirs together.
template <class Draw>
__device__ __forceinline__ Halves halves_of(std::uint32_t walkers, Draw& draw) {
    Halves node = {{0, walkers}};
#pragma unroll
    for (unsigned k = 1; k < 4; k++) {
        node.at[2 * k + 1] = ones_among(node.at[k], draw);
        node.at[2 * k] = node.at[k] - node.at[2 * k + 1];
    }
    return node;
}

/// Walkers that draw both bits from so many of the words of one round.
template <unsigned words>
constexpr std::uint32_t few = 32 * (words / 2);

/// The same for at most few<words> of them: the words are of first bits and of second bits in turns. The others of the round
/// are drawn and not used.
template <unsigned words, class Draw>
__device__ __forceinline__ Halves halves_of_few(std::uint32_t walkers, Draw& draw) {
    static_assert(words % 4 == 0 && words <= Draw::round);
    pi::CountInPairs first, second, both;
    int left = static_cast<int>(walkers);
#pragma unroll
    for (unsigned i = 0; i < Draw::round; i += 4, left -= 64) {
        const std::uint32_t a = lowest_bits(draw(), left), b = lowest_bits(draw(), left);
        const std::uint32_t c = lowest_bits(draw(), left - 32), d = lowest_bits(draw(), left - 32);
        if (i >= words) continue;
        first.add(a, c);
        second.add(b, d);
        both.add(a & b, c & d);
    }
    const std::uint32_t ones = first.total(), last = both.total(), others = second.total() - last;
    return {{0, walkers, walkers - ones, ones, walkers - ones - others, others, ones - last, last}};
}

/// By whichever way their number allows. Of the last ones most states have few.
template <class Draw>
__device__ __forceinline__ Halves halves_of_all(std::uint32_t walkers, Draw& draw) {
    if (walkers <= few<4>) return halves_of_few<4>(walkers, draw);
    if (walkers <= few<Draw::round>) return halves_of_few<Draw::round>(walkers, draw);
    return halves_of(walkers, draw);
}

}  // namespace mcls::v23
