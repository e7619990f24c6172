// Hits of seed 1234, computed with numpy's MT19937 and exact arithmetic where float32 might round either way; g++'s std::mt19937
// and std::fmaf give the same.
#pragma once

#include <cstdint>

namespace golden {

inline constexpr std::uint64_t seed = 1234;

/// Hits of launches 0 and 1 of so many samples.
struct Hits {
    std::uint64_t samples;
    std::uint64_t launch[2];
};

/// One sequence for X and one for Y: a0 to a6.
inline constexpr Hits of_words[] = {
    {1'000, {799, 800}}, {1'000'000, {785'587, 785'808}}, {1 << 26, {52'704'542, 52'706'378}}};

/// 64 chunks: a7 and a8.
inline constexpr Hits of_chunks[] = {
    {64'000, {50'241, 50'102}}, {1'000'000, {785'277, 784'961}}, {1 << 26, {52'707'568, 52'705'150}}};

}  // namespace golden
