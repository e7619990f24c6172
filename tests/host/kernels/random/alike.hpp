// What a known difference of two words says about one of their bits.
#pragma once

#include <cstdint>

/// For a word D and d modulo 2^(b + 1): bits b of D and D + d differ for the D that d carries across a multiple of 2^b. Of
/// all 2^b residues D modulo 2^b, those with both bits alike less the others.
inline std::int64_t alike(std::uint64_t d, unsigned b) {
    const std::uint64_t size = std::uint64_t{1} << b, rest = d % size;
    const auto balance = static_cast<std::int64_t>(size) - 2 * static_cast<std::int64_t>(rest);
    return (d >> b) % 2 == 0 ? balance : -balance;
}
