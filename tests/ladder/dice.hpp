// A small ladder for the tests: thrown dice. Its unit, sums and phases differ from those of pi. It shows that the harness
// does not depend on what is counted.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/contract.hpp"

#if defined(__CUDACC__)
#define DICE_FUNCTION __host__ __device__
#else
#define DICE_FUNCTION
#endif

namespace dice {

inline constexpr unsigned published = 2;  // sums of a launch: its eyes, and their squares

/// Eyes of throw `i` of stream `stream`: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014), scaled to six faces.
DICE_FUNCTION inline unsigned eyes(std::uint64_t seed, std::uint64_t launch, std::uint64_t stream, std::uint64_t i) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (launch << 44) + (stream << 22) + i;
    for (int round = 0; round < 2; round++) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return 1 + static_cast<unsigned>((z >> 32) * 6 >> 32);
}

/// The mean of the eyes of a fair die.
std::shared_ptr<const bench::Estimand> mean_of_eyes();

}  // namespace dice
