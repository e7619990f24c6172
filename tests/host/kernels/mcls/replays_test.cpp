// What a launch publishes according to the host, and how a GPU's launch is compared with it.
#include "kernels/mcls/replay/replays.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using bench::Count;
using mcls::Replayed;

TEST(Replays, OfWholeNumbersDifferByAnyUnit) {
    const Replayed replayed = {{10'000, 1'000, 7, Count(-3)}};
    EXPECT_EQ(difference(replayed, {10'000, 1'000, 7, Count(-3)}), "");
    EXPECT_EQ(difference(replayed, {9'999, 1'000, 7, Count(-3)}), "the number of transitions is 9999, not 10000");
    EXPECT_EQ(difference(replayed, {10'000, 1'001, 7, Count(-3)}), "the number of histories is 1001, not 1000");
    EXPECT_EQ(difference(replayed, {10'000, 1'000, 7, Count(-2)}), "the tally of entry 1 is -2, not -3");
    EXPECT_EQ(difference(replayed, {10'000, 1'000, 8, Count(-2)}),
              "the tally of entry 0 is 8, not 7; 2 of 4 counts differ");
}

TEST(Replays, OfDoublesMayBeRounded) {
    const auto count = [](double tally) { return std::bit_cast<Count>(tally); };
    const Replayed replayed = {{10, 2, count(1.5), count(0)}, {0.25, 0}};
    for (const double near : {1.25, 1.5, 1.75}) {
        EXPECT_EQ(difference(replayed, {10, 2, count(near), count(-0.0)}), "");
    }
    for (const double off : {1.2, 1.8, std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_NE(difference(replayed, {10, 2, count(off), count(0)}), "") << off;
    }
    EXPECT_EQ(difference(replayed, {10, 2, count(1.5), count(1)}), "the tally of entry 1 is 1, not 0");
    EXPECT_NE(difference(replayed, {11, 2, count(1.5), count(0)}), "") << "counts of work are whole numbers";
}

}  // namespace
