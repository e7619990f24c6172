// Pairs of words against uniformity.
#include "quality/serial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "quality/serial_cell.cuh"

namespace {

using quality::serial;
using quality::serial_cells;
using Counts = std::vector<std::uint64_t>;

constexpr double significant = 1e-6;

Counts random_counts(std::uint64_t pairs) {
    std::mt19937_64 random(7);
    Counts counts(serial_cells);
    for (std::uint64_t i = 0; i < pairs; i++) {
        counts[random() >> 48]++;
    }
    return counts;
}

TEST(SerialCell, IsMadeOfTheLeading8BitsOfBothWords) {
    EXPECT_EQ(quality::serial_cell(0xabffffff, 0xcdffffff), 0xabcdu);
    EXPECT_EQ(quality::serial_cell(0xab000000, 0xcd000000), 0xabcdu);
    EXPECT_EQ(quality::serial_cell(0, 0), 0u);
    EXPECT_EQ(quality::serial_cell(0xffffffff, 0xffffffff), serial_cells - 1);
}

// 25 expected in each cell. The tail with 3 degrees of freedom is erfc(sqrt(x/2)) + sqrt(2x/pi) exp(-x/2).
TEST(Serial, OfFourCellsByHand) {
    const quality::Serial s = serial(Counts{10, 20, 30, 40});
    EXPECT_EQ(s.pairs, 100u);
    EXPECT_EQ(s.dof, 3u);
    EXPECT_DOUBLE_EQ(s.chi2, (225 + 25 + 25 + 225) / 25.0);
    EXPECT_NEAR(s.p, 2 * 1.69742e-4, 1e-8);
}

TEST(Serial, PassesRandomPairs) {
    const quality::Serial s = serial(random_counts(1 << 21));
    EXPECT_EQ(s.pairs, 1u << 21);
    EXPECT_EQ(s.dof, 65535u);
    EXPECT_GT(s.p, 1e-3);
    EXPECT_LE(s.p, 1);
}

TEST(Serial, FindsPairsThatLieTooEvenly) {
    const quality::Serial s = serial(Counts(serial_cells, 32));
    EXPECT_EQ(s.chi2, 0);
    EXPECT_LT(s.p, significant);
}

// 500 more than the 32 that are expected: chi-square rises by 500^2 / 32, some 20 of its sd.
TEST(Serial, FindsOneCellOverfull) {
    Counts counts = random_counts(1 << 21);
    counts[12345] += 500;
    EXPECT_LT(serial(counts).p, significant);
}

TEST(Serial, FindsAnEmptyQuarter) {
    Counts counts = random_counts(1 << 21);
    std::fill(counts.begin(), counts.begin() + serial_cells / 4, 0);
    EXPECT_LT(serial(counts).p, significant);
}

}  // namespace
