// The spread of units, computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/estimands/chance/limits.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::Count;
using bench::CountedHits;
using bench::Expectation;
using bench::Independent;
using bench::Tally;
using bench::units_per_launch;

constexpr Expectation coin = {1, 2};

// Of n counts of 0 or 1 with mean m the sample variance is m (1 - m) n / (n - 1), in whatever order they come: the spread of
// counts of one sample tells nothing.
TEST(UnitsOf, AreBlocksWhereEachCountStandsForAsManySamples) {
    for (const auto independent : {Independent::samples, Independent::counts}) {
        EXPECT_EQ(units_per_launch(independent, 1'000, 10), 10u);
        EXPECT_EQ(units_per_launch(independent, 1'000, 7), 1u) << "1,000 samples are not 7 times as many";
        EXPECT_EQ(units_per_launch(independent, 1'000, 1), 1u);
        EXPECT_EQ(units_per_launch(independent, 1'000, 500), 500u);
        EXPECT_EQ(units_per_launch(independent, 1'000, 1'000), 1u);
    }
    EXPECT_EQ(units_per_launch(Independent::launches, 1'000, 10), 1u) << "where nothing else is independent";
}

/// An empty tally that allows every count.
Tally any_counts(std::uint64_t samples, std::uint64_t counts_per_launch, const Expectation& expected = coin) {
    return sample_tallies::tally_of({expected, Independent::counts, 4e7}, samples, counts_per_launch);
}

using Launches = std::vector<std::vector<Count>>;

std::optional<bench::Spread> spread(Tally tally, const Launches& launches) {
    for (const std::vector<Count>& counts : launches) tally.add(counts);
    return CountedHits(tally).spread();
}

// 100 throws of a coin have the variance 25. The spread is taken about the mean of the units: a bias is not a spread.
TEST(Spread, IsTheSampleVarianceOverTheBinomial) {
    const struct {
        const char* what;
        Tally none;
        Launches launches;
        double ratio;
        std::uint64_t units;
    } table[] = {
        {"one launch", any_counts(300, 3), {{45, 50, 55}}, 1, 3},
        {"counts of all launches", any_counts(200, 2), {{40, 60}, {50, 50}, {50, 50}}, 1.6, 6},  // 200 / 5 / 25
        {"launches", any_counts(100, 1), {{40}, {60}, {50}, {50}, {50}}, 2, 5},
        {"launches with the same sum", any_counts(200, 1), {{40, 60}, {45, 55}, {50, 50}}, 0, 3},
        {"far from the expectation", any_counts(100, 1), {{90}, {95}, {100}}, 1, 3},
        {"of another probability", any_counts(100, 1, {1, 4}), {{20}, {25}, {30}}, 25 / 18.75, 3},  // 100 / 4 * 3 / 4
    };
    for (const auto& row : table) {
        SCOPED_TRACE(row.what);
        const auto s = spread(row.none, row.launches);
        ASSERT_TRUE(s);
        EXPECT_DOUBLE_EQ(s->ratio, row.ratio);
        EXPECT_DOUBLE_EQ(s->sd, row.ratio * std::sqrt(2.0 / static_cast<double>(row.units - 1)));
        EXPECT_EQ(s->units, row.units);
        EXPECT_STREQ(s->over, row.none.spec().published > 1 ? "blocks" : "launches");
    }
    // Half of 2^60 throws hit, plus or minus a standard deviation of 2^29. Three launches stay below 2^63 samples.
    constexpr Count mean = Count{1} << 59, sd = Count{1} << 29;
    EXPECT_NEAR(spread(any_counts(std::uint64_t{1} << 60, 1), {{mean - sd}, {mean}, {mean + sd}})->ratio, 1, 1e-5);
}

TEST(Spread, NeedsTwoUnitsOfWhatIsNotCertain) {
    EXPECT_FALSE(spread(any_counts(100, 1), {}));
    EXPECT_FALSE(spread(any_counts(100, 1), {{50}}));
    EXPECT_TRUE(spread(any_counts(100, 1), {{50}, {50}}));
    EXPECT_TRUE(spread(any_counts(100, 2), {{25, 25}}));
    EXPECT_FALSE(spread(any_counts(100, 1, {1, 1}), {{100}, {100}}));
}

}  // namespace
