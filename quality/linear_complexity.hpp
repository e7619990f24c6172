// The linear complexity of a sequence of bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quality {

/// A sequence of bits, 64 per word. The first bit is the lowest.
struct Bits {
    std::vector<std::uint64_t> words;
    std::size_t size = 0;

    void add(bool bit);
    bool at(std::size_t i) const { return words[i / 64] >> (i % 64) & 1; }
};

/// Length of the shortest linear feedback shift register over GF(2) that generates `bits`, by the Berlekamp-Massey
/// algorithm (Menezes, van Oorschot, Vanstone, "Handbook of Applied Cryptography", algorithm 6.30).
unsigned linear_complexity(const Bits& bits);

/// Two-sided p-value: the probability that the complexity of `bits` random bits is at least as far from bits / 2 as
/// `complexity`. There are 2^min(2n - 2L, 2L - 1) sequences of n bits and complexity L > 0 (Rueppel, "Analysis and Design
/// of Stream Ciphers", chapter 4).
double p_of_linear_complexity(unsigned complexity, unsigned bits);

}  // namespace quality
