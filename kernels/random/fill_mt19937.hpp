// Words of std::mt19937 in an array, on the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>

#include "bench/cpu/clones.hpp"

namespace pi {

/// Writes the next `n` words of the sequence. The engine's own loop is compiled into each clone: for plain x86-64 it has a
/// branch for each word that goes either way by chance, and is several times slower.
FUNCTION_CLONES __attribute__((flatten)) static void fill(std::uint32_t* words, std::uint64_t n,
                                                          std::mt19937& sequence) {
    std::generate_n(words, n, std::ref(sequence));
}

}  // namespace pi
