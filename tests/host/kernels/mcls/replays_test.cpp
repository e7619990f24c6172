// What a launch publishes according to the host, and how a GPU's launch is compared with it.
#include "kernels/mcls/problem/replays.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using bench::Count;
using mcls::Replayed;
using mcls::Walks;

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

Walks walks(std::uint32_t n, std::uint64_t histories, std::uint64_t of_entry, std::uint32_t steps) {
    Walks all = {};
    all.n = n;
    all.histories = histories;
    all.histories_of_entry = of_entry;
    all.limits.steps = steps;
    return all;
}

TEST(FewWalks, AreShort) {
    EXPECT_EQ(few_of(walks(900, 10'000'000, 0, 500)).histories, 1'024);
    EXPECT_EQ(few_of(walks(900, 10'000'000, 0, 500)).limits.steps, 500);
    EXPECT_EQ(few_of(walks(900, 10'000'000, 0, 4'000'000'000)).limits.steps, 10'000);
    EXPECT_EQ(few_of(walks(900, 1'000, 0, 500)).histories, 1'000) << "no more than a launch of the run has";
}

TEST(FewWalks, OfForwardHistoriesAreAsManyForEachEntry) {
    const Walks two_each = few_of(walks(900, 900'000, 1'000, 10'000));
    EXPECT_EQ(two_each.histories, 1'800);
    EXPECT_EQ(two_each.histories_of_entry, 2);
    EXPECT_EQ(two_each.limits.steps, 5'688) << "10,240,000 transitions at most";
    const Walks one_each = few_of(walks(1'000'000, 2'000'000, 2, 10'000));
    EXPECT_EQ(one_each.histories, 1'000'000);
    EXPECT_EQ(one_each.histories_of_entry, 1);
    EXPECT_EQ(one_each.limits.steps, 10);
    EXPECT_EQ(few_of(walks(100'000'000, 100'000'000, 1, 10'000)).limits.steps, 1);
}

}  // namespace
