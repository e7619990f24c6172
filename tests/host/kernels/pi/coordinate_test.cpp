// From words to coordinates, and from coordinates to hits. Expected values follow from IEEE 754 and were computed with
// rational numbers.
#include "kernels/pi/shared/coordinate.cuh"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kernels/pi/shared/hit.cuh"
#include "tests/host/kernels/random/curand_draws.hpp"

namespace {

struct Mapped {
    std::uint32_t word;
    float unit_interval;
    float curand_uniform;
};

// Ties of the conversion go to the even neighbour: 0x01000001 down, 0xffffff80 up to 2^32.
const std::vector<Mapped> table = {
    {0, 0.0f, 0x1p-33f},
    {1, 0x1p-32f, 0x1.8p-32f},
    {0x80, 0x1p-25f, 0x1.01p-25f},
    {0x100, 0x1p-24f, 0x1.008p-24f},
    {0x01000001, 0x1p-8f, 0x1p-8f},
    {0x7fffffff, 0x1p-1f, 0x1p-1f},
    {0x80000000, 0x1p-1f, 0x1p-1f},
    {0xffffff7f, 0x1.fffffep-1f, 0x1.fffffep-1f},
    {0xffffff80, 1.0f, 1.0f},
    {0xffffffff, 1.0f, 1.0f},
};

TEST(Coordinate, ToUnitIntervalReachesBothEnds) {
    for (const Mapped& m : table) {
        EXPECT_EQ(pi::to_unit_interval(m.word), m.unit_interval) << "word " << m.word;
    }
}

TEST(Coordinate, ToCurandUniformReachesOneAndNeverZero) {
    for (const Mapped& m : table) {
        EXPECT_EQ(pi::to_curand_uniform(m.word), m.curand_uniform) << "word " << m.word;
    }
}

TEST(Coordinate, CurandUniformMapsEdgeWordsTheSame) {
    for (const Mapped& m : table) {
        EXPECT_EQ(curand_draws::uniform_of(m.word), m.curand_uniform) << "word " << m.word;
    }
}

TEST(Coordinate, CurandUniformMapsDrawnWordsTheSame) {
    std::vector<std::uint32_t> words(10'000);
    std::vector<float> coordinates(words.size(), -1.0f);
    curand_draws::xorwow(1234, 3, words.data(), words.size());
    curand_draws::xorwow_uniform(1234, 3, coordinates.data(), coordinates.size());
    for (std::size_t i = 0; i < words.size(); i++) {
        ASSERT_EQ(coordinates[i], pi::to_curand_uniform(words[i])) << "draw " << i;
    }
}

TEST(Coordinate, CurandUniform4IsFourDraws) {
    std::uint32_t words[4];
    float coordinates[4] = {-1, -1, -1, -1};
    curand_draws::philox(1234, 3, words, 4);
    curand_draws::philox_uniform4(1234, 3, coordinates);
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ(coordinates[i], pi::to_curand_uniform(words[i])) << "draw " << i;
    }
}

TEST(HitRule, TheCircleItselfIsInside) {
    EXPECT_TRUE(pi::is_hit(0.0f, 0.0f));
    EXPECT_TRUE(pi::is_hit(1.0f, 0.0f));
    EXPECT_TRUE(pi::is_hit(0.0f, 1.0f));
    EXPECT_TRUE(pi::is_hit(0.6f, 0.799999f));
    EXPECT_FALSE(pi::is_hit(0.6f, 0.800001f));
    EXPECT_FALSE(pi::is_hit(1.0f, 1.0f));
}

TEST(HitRule, TheSumRoundsToEven) {
    EXPECT_TRUE(pi::is_hit(1.0f, 0x1p-12f));          // 1 + 2^-24, half way to the next float
    EXPECT_FALSE(pi::is_hit(1.0f, 0x1.000002p-12f));  // just beyond
}

// x*x is not rounded, y*y is. Neither x*x + y*y nor the other order gives all of these.
TEST(HitRule, OnlyTheSquareOfYIsRounded) {
    EXPECT_TRUE(pi::is_hit(0x1.c82994p-1f, 0x1.d103fap-2f));
    EXPECT_TRUE(pi::is_hit(0x1.c35890p-1f, 0x1.e37310p-2f));
    EXPECT_FALSE(pi::is_hit(0x1.273d28p-3f, 0x1.faa6e2p-1f));
}

}  // namespace
