// A small ladder for the tests: thrown dice. Its unit, sums and phases differ from those of pi, and its options choose the
// die. It shows that the harness does not depend on what is counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/step.hpp"

#if defined(__CUDACC__)
#define DICE_FUNCTION __host__ __device__
#else
#define DICE_FUNCTION
#endif

namespace dice {

inline constexpr unsigned published = 3;  // sums of a launch: its throws, its eyes, and their squares
inline constexpr unsigned most_sides = 20, sides_of_usual_die = 6;

/// A die and how it is thrown.
struct Die : bench::Problem {
    std::string name;                 // "_sides20"; empty for the usual die
    std::vector<std::uint32_t> last;  // of each side, the sum of the weights up to it
    bool again = false;               // whether a throw of the most eyes is followed by another one

    unsigned sides() const { return static_cast<unsigned>(last.size()); }
    std::uint32_t weight(unsigned side) const { return side == 0 ? last[0] : last[side] - last[side - 1]; }
};

/// The die of a launch.
inline const Die& die_of(const bench::Problem* problem) { return static_cast<const Die&>(*problem); }

/// Eyes of throw `i` of stream `stream`: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014), scaled to the weights of a die's sides.
DICE_FUNCTION inline unsigned eyes(std::uint64_t seed, std::uint64_t launch, std::uint64_t stream, std::uint64_t i,
                                   const std::uint32_t* last, unsigned sides) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (launch << 44) + (stream << 22) + i;
    for (int round = 0; round < 2; round++) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    const auto weight = static_cast<std::uint32_t>((z >> 32) * last[sides - 1] >> 32);
    unsigned side = 0;
    while (weight >= last[side]) side++;
    return side + 1;
}

/// The mean of the eyes of a die. Without a die it tells what --help needs.
std::shared_ptr<const bench::Estimand> mean_of_eyes(std::shared_ptr<const Die> die = nullptr);

/// The options --sides, --die and --again.
std::shared_ptr<const bench::OwnOptions> options_of_die();

}  // namespace dice
