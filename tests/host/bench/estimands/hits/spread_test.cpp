// The spread of units: computed by hand, for independent throws of a coin, and for dependent ones.
#include "bench/estimands/chance/spread.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::Count;
using bench::CountedHits;
using bench::Expectation;
using bench::Independent;
using bench::least_launches;
using bench::Spread;
using bench::Tally;
using bench::units_per_launch;
using sample_tallies::tally_of;

constexpr Expectation coin = {1, 2};

TEST(UnitsOf, AreBlocksWhereEachCountStandsForAsManySamples) {
    for (const auto independent : {Independent::samples, Independent::counts}) {
        EXPECT_EQ(units_per_launch(independent, 1'000, 10), 10u);
        EXPECT_EQ(units_per_launch(independent, 1'000, 7), 1u) << "1,000 samples are not 7 times as many";
        EXPECT_EQ(units_per_launch(independent, 1'000, 1), 1u);
    }
}

// Of n counts of 0 or 1 with mean m the sample variance is m (1 - m) n / (n - 1), in whatever order they come.
TEST(UnitsOf, AreLaunchesWhereACountStandsForOneSample) {
    EXPECT_EQ(units_per_launch(Independent::samples, 1'000, 1'000), 1u);
    EXPECT_EQ(units_per_launch(Independent::samples, 1'000, 500), 500u);
}

TEST(UnitsOf, AreLaunchesWhereNothingElseIsIndependent) {
    EXPECT_EQ(units_per_launch(Independent::launches, 1'000, 10), 1u);
}

TEST(LeastLaunches, AreSixteenWhereNothingElseTellsTheError) {
    EXPECT_EQ(least_launches(Independent::samples), 1u);
    EXPECT_EQ(least_launches(Independent::counts), 1u);
    EXPECT_EQ(least_launches(Independent::launches), 16u);
}

/// A law that allows every count.
bench::Law any_counts(const Expectation& expected) { return {expected, Independent::counts, 1e30}; }

/// The spread of launches of `samples` samples with these counts.
std::optional<Spread> spread(std::uint64_t samples, std::uint64_t counts_per_launch,
                             const std::vector<std::vector<Count>>& launches, const Expectation& expected = coin) {
    Tally tally = tally_of(any_counts(expected), samples, counts_per_launch);
    for (const std::vector<Count>& counts : launches) {
        tally.add(counts);
    }
    return CountedHits(tally).spread();
}

// 45, 50 and 55 of 100 throws have a sample variance of 25, the variance of the binomial distribution.
TEST(Spread, IsThatOfTheCounts) {
    const auto s = spread(300, 3, {{45, 50, 55}});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->units, 3u);
    EXPECT_STREQ(s->over, "blocks");
    EXPECT_DOUBLE_EQ(s->ratio, 1);
    EXPECT_DOUBLE_EQ(s->sd, 1);  // sqrt(2 / 2)
}

// 40, 60 and some 50 of 100 throws: the sum of squares is 200, divided by one less than their number and by the
// binomial variance 25.
TEST(Spread, PoolsTheCountsOfAllLaunches) {
    const auto of_counts = spread(200, 2, {{40, 60}, {50, 50}, {50, 50}});
    ASSERT_TRUE(of_counts);
    EXPECT_EQ(of_counts->units, 6u);
    EXPECT_DOUBLE_EQ(of_counts->ratio, 1.6);                    // 200 / 5 / 25
    EXPECT_DOUBLE_EQ(of_counts->sd, 1.6 * std::sqrt(2.0 / 5));  // of a ratio of that size
    const auto of_launches = spread(100, 1, {{40}, {60}, {50}, {50}, {50}});
    ASSERT_TRUE(of_launches);
    EXPECT_EQ(of_launches->units, 5u);
    EXPECT_DOUBLE_EQ(of_launches->ratio, 2);
}

// Each launch has 100 hits, whatever its counts: the spread is that of launches, not of counts.
TEST(Spread, OfLaunchesIsThatOfTheirSums) {
    const auto s = spread(200, 1, {{40, 60}, {45, 55}, {50, 50}});
    ASSERT_TRUE(s);
    EXPECT_STREQ(s->over, "launches");
    EXPECT_EQ(s->units, 3u);
    EXPECT_EQ(s->ratio, 0);
    EXPECT_EQ(s->sd, 0);
}

// The spread is taken about the mean of the units. A bias is not a spread; the verdict finds it. 90, 95, 100 of 100.
TEST(Spread, IsAboutTheMeanAndNotTheExpectation) { EXPECT_DOUBLE_EQ(spread(100, 1, {{90}, {95}, {100}})->ratio, 1); }

TEST(Spread, IsRelativeToTheExpectedProbability) {
    EXPECT_DOUBLE_EQ(spread(100, 1, {{20}, {25}, {30}}, {1, 4})->ratio, 25 / 18.75);  // 100 / 4 * 3 / 4
}

TEST(Spread, NeedsTwoUnits) {
    EXPECT_FALSE(spread(100, 1, {}));
    EXPECT_FALSE(spread(100, 1, {{50}}));
    EXPECT_TRUE(spread(100, 1, {{50}, {50}}));
    EXPECT_TRUE(spread(100, 2, {{25, 25}}));
}

TEST(Spread, ACertainOutcomeHasNone) { EXPECT_FALSE(spread(100, 1, {{100}, {100}}, {1, 1})); }

TEST(Spread, ForgetsTheWarmUpAndKeepsItsUnits) {
    Tally tally = tally_of(any_counts(coin), 200, 2);
    tally.add(std::vector<Count>{0, 100});
    tally.discard();
    EXPECT_FALSE(CountedHits(tally).spread());
    tally.add(std::vector<Count>{45, 55});
    ASSERT_TRUE(CountedHits(tally).spread());
    EXPECT_EQ(CountedHits(tally).spread()->units, 2u);
    EXPECT_DOUBLE_EQ(CountedHits(tally).spread()->ratio, 2);
}

// Half of 2^60 throws hit, plus or minus a standard deviation of 2^29. Three launches stay below 2^63 samples.
TEST(Spread, HoldsForTheLargestLaunches) {
    constexpr Count mean = Count{1} << 59, sd = Count{1} << 29;
    EXPECT_NEAR(spread(std::uint64_t{1} << 60, 1, {{mean - sd}, {mean}, {mean + sd}})->ratio, 1, 1e-5);
}

/// Hits of 320 throws: the bits of ten words.
Count throws(std::mt19937& random) {
    Count hits = 0;
    for (int word = 0; word < 10; word++) {
        hits += static_cast<Count>(std::popcount(static_cast<std::uint32_t>(random())));
    }
    return hits;
}

/// The spread of 5,000 launches of 4 blocks; each throw counts `copies` times.
std::optional<Spread> thrown(unsigned copies, bool blocks_alike, std::uint64_t counts_per_launch) {
    std::mt19937 random(7);
    std::vector<std::vector<Count>> launches(5'000, std::vector<Count>(4));
    for (auto& counts : launches) {
        for (Count& count : counts) {
            count = blocks_alike && &count != &counts[0] ? counts[0] : copies * throws(random);
        }
    }
    return spread(std::uint64_t{4} * 320 * copies, counts_per_launch, launches);
}

void expect_ratio(const std::optional<Spread>& s, double ratio) {
    ASSERT_TRUE(s);
    EXPECT_NEAR(s->ratio, ratio, 5 * s->sd);
    EXPECT_NEAR(s->sd, ratio * std::sqrt(2.0 / static_cast<double>(s->units)), 0.1 * s->sd);
}

TEST(Spread, OfIndependentThrowsIsTheBinomials) {
    expect_ratio(thrown(1, false, 4), 1);
    expect_ratio(thrown(1, false, 1), 1);
    EXPECT_EQ(thrown(1, false, 4)->units, 20'000u);
    EXPECT_EQ(thrown(1, false, 1)->units, 5'000u);
}

// k copies of a throw have k^2 times its variance in k times the throws.
TEST(Spread, OfThrowsThatCountFourTimesIsFourfold) {
    expect_ratio(thrown(4, false, 4), 4);
    expect_ratio(thrown(4, false, 1), 4);
}

// Four blocks have the same throws: only the launches show it.
TEST(Spread, OfBlocksThatAreAlikeShowsOverLaunchesOnly) {
    expect_ratio(thrown(1, true, 1), 4);
    EXPECT_LT(thrown(1, true, 4)->ratio, 1.1);
}

// Every throw comes with its opposite: the sum is certain.
TEST(Spread, OfAntitheticThrowsIsNone) {
    std::mt19937 random(7);
    std::vector<std::vector<Count>> launches;
    for (int i = 0; i < 100; i++) {
        const Count hits = throws(random);
        launches.push_back({hits, 320 - hits});
    }
    EXPECT_EQ(spread(640, 1, launches)->ratio, 0);
}

}  // namespace
