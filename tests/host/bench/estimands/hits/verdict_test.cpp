// Which hit counts the verdict accepts.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/hits/hits.hpp"
#include "tests/host/bench/sample_tallies.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Count;
using bench::Expectation;
using bench::Independent;
using bench::Law;
using bench::Spread;
using bench::uncertainty;
using bench::VerdictError;

constexpr Expectation coin = {1, 2};  // of 10,000 throws 5,000 hit, give or take 50
constexpr Expectation quarter_circle = {14488039784235215844u, 18446744073709551616.0};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

bool passes(std::uint64_t hits, std::uint64_t samples, const Expectation& expected,
            const bench::VarianceRatio& chance = {}) {
    try {
        bench::judge({hits, samples}, expected, chance);
        return true;
    } catch (const VerdictError&) {
        return false;
    }
}

TEST(Judge, TheLimitIsFiveSigma) {
    EXPECT_TRUE(passes(4'750, 10'000, coin));
    EXPECT_TRUE(passes(5'000, 10'000, coin));
    EXPECT_TRUE(passes(5'250, 10'000, coin));
    EXPECT_FALSE(passes(4'749, 10'000, coin));
    EXPECT_FALSE(passes(5'251, 10'000, coin));
    const std::string line = line_of<VerdictError>([] { bench::judge({5'300, 10'000}, coin); });
    EXPECT_NE(line.find("+6.0 sd from the expectation"), std::string::npos) << line;
}

// Mean plus -6, -4, 4 and 6 standard deviations, from Python's rational numbers.
TEST(Judge, HoldsUpToTheLargestRuns) {
    const struct {
        std::uint64_t samples, rejected_low, accepted_low, accepted_high, rejected_high;
    } table[] = {
        {1'000'000'000'000, 785395747186, 785396568276, 785399852636, 785400673726},
        {two_to_63 / 2, 3622009940768961489, 3622009942532242313, 3622009949585365609, 3622009951348646433},
        {two_to_63, 7244019884636640960, 7244019887130296614, 7244019897104919230, 7244019899598574884},
    };
    for (const auto& run : table) {
        SCOPED_TRACE(run.samples);
        EXPECT_FALSE(passes(run.rejected_low, run.samples, quarter_circle));
        EXPECT_TRUE(passes(run.accepted_low, run.samples, quarter_circle));
        EXPECT_TRUE(passes(run.accepted_high, run.samples, quarter_circle));
        EXPECT_FALSE(passes(run.rejected_high, run.samples, quarter_circle));
        EXPECT_NEAR(bench::sigma({run.accepted_low, run.samples}, quarter_circle), -4, 1e-4);
        EXPECT_NEAR(bench::sigma({run.accepted_high, run.samples}, quarter_circle), 4, 1e-4);
    }
}

TEST(Judge, RejectsTheImpossibleAndWhatIsNotANumber) {
    EXPECT_FALSE(passes(10'001, 10'000, coin));
    EXPECT_FALSE(passes(2, 1, coin)) << "though it is 3 sigma only";
    EXPECT_FALSE(passes(0, 0, coin));
    EXPECT_FALSE(passes(5'000, 10'000, {0, 0}));
    EXPECT_FALSE(passes(5'000, 10'000, {1, 0}));
    EXPECT_FALSE(passes(5'000, 10'000, {1, nan}));
    EXPECT_FALSE(passes(5'000, 10'000, coin, {nan, 15}));
    EXPECT_FALSE(passes(5'001, 10'000, coin, {nan, 15}));
    EXPECT_FALSE(passes(5'001, 10'000, coin, {-1, 15}));
    EXPECT_ANY_THROW(bench::judge({5'000, 10'000}, coin, {1, nan}));
}

TEST(Judge, HoldsCertainOutcomesToTheLetter) {
    EXPECT_TRUE(passes(1'000, 1'000, {1, 1}));
    EXPECT_FALSE(passes(999, 1'000, {1, 1}));
    EXPECT_TRUE(passes(0, 1'000, {0, 1}));
    EXPECT_FALSE(passes(1, 1'000, {0, 1}));
    EXPECT_TRUE(passes(5'000, 10'000, coin, {0, 15})) << "without any spread";
    EXPECT_FALSE(passes(5'001, 10'000, coin, {0, 15}));
}

// 826 hits of 10,000 throws, and 827, are 8.26 and 8.27 measured standard deviations of 100. With two thousand times less
// than the binomial variance one sd is 1.1 throws, five and a quarter are 5.9.
TEST(Judge, TheLimitOfAMeasuredSpreadIsStudents) {
    EXPECT_TRUE(passes(5'826, 10'000, coin, {4, 15}));
    EXPECT_FALSE(passes(5'827, 10'000, coin, {4, 15}));
    EXPECT_TRUE(passes(4'174, 10'000, coin, {4, 15}));
    EXPECT_FALSE(passes(4'173, 10'000, coin, {4, 15}));
    EXPECT_TRUE(passes(5'005, 10'000, coin, {0.0005, 131}));
    EXPECT_FALSE(passes(5'006, 10'000, coin, {0.0005, 131}));
}

TEST(Sigma, IsSignedAndGrowsAsTheVarianceShrinks) {
    EXPECT_DOUBLE_EQ(bench::sigma({4'800, 10'000}, coin), -4);
    EXPECT_DOUBLE_EQ(bench::sigma({5'200, 10'000}, coin, 4), 2);
    EXPECT_DOUBLE_EQ(bench::sigma({4'800, 10'000}, coin, 0.25), -8);
}

Spread spread(std::uint64_t units, double ratio = 4) { return bench::spread_of_units(ratio, units, "blocks"); }

constexpr Law point_set = {coin, Independent::launches};

TEST(Uncertainty, IsKnownOrTheSpreadOfSixteenLaunches) {
    for (const std::optional<Spread>& any : {std::optional<Spread>(), std::optional(spread(100))}) {
        for (const auto& [independent, ratio] : {std::pair{Independent::samples, 1.0}, {Independent::counts, 7.5}}) {
            const auto chance = uncertainty({coin, independent, ratio}, any);
            ASSERT_TRUE(chance);
            EXPECT_EQ(chance->value, ratio);
            EXPECT_EQ(bench::sigma_limit(chance->degrees_of_freedom), 5);
        }
    }
    const auto chance = uncertainty(point_set, spread(16));
    ASSERT_TRUE(chance);
    EXPECT_EQ(chance->value, 4);
    EXPECT_EQ(chance->degrees_of_freedom, 15);
    EXPECT_FALSE(uncertainty(point_set, std::nullopt));
    EXPECT_FALSE(uncertainty(point_set, spread(15)));
}

// Chi-squared over its degrees of freedom at a probability of 2.867e-7 on each side, from the series and the continued
// fraction of the incomplete gamma function in Python: 0.067835 and 3.978426 for 15, 0.930879 and 1.072321 for 9999;
// plus 5 %. Of few units, or small ones, it says nothing.
TEST(JudgeSpread, AllowsWhatChanceAllowsAndATolerance) {
    const Law independent = {coin}, wide = {coin, Independent::counts, 7.5};
    const Law demonstration = {coin, Independent::samples, 1, bench::demonstration_tolerance};
    const struct {
        Law law;
        std::uint64_t units;
        double passes, fails;
        std::uint64_t samples_of_unit = 1'000;
    } table[] = {
        {independent, 16, 0.0645, 0.0644},
        {independent, 16, 4.177, 4.178},
        {independent, 10'000, 0.88434, 0.88433},
        {independent, 10'000, 1.12593, 1.12594},
        {independent, 10'000, 1, nan},
        {wide, 10'000, 7.5 * 0.88434, 7.5 * 0.88433},
        {wide, 10'000, 7.5 * 1.12593, 7.5 * 1.12594},
        {demonstration, 1'000'000'000'000, 1.2499, 1.2505},  // a quarter
        {demonstration, 1'000'000'000'000, 0.7501, 0.7495},
        {point_set, 10'000, 1e-9, 1.12594},  // the binomial's at most
        {independent, 16, 1, 100, 100},
    };
    for (const auto& row : table) {
        SCOPED_TRACE(row.fails);
        EXPECT_NO_THROW(bench::judge_spread(spread(row.units, row.passes), row.law, row.samples_of_unit));
        EXPECT_THROW(bench::judge_spread(spread(row.units, row.fails), row.law, row.samples_of_unit), VerdictError);
    }
    EXPECT_NO_THROW(bench::judge_spread(spread(15, 100), independent, 1'000));
    EXPECT_NO_THROW(bench::judge_spread(spread(16, 100), independent, 99)) << "a variance of 24.75";
}

// Sixteen launches of 8,000,000 +- 2,000 hits in all.
TEST(JudgeTally, JudgesWhatIsKnownAndPointSetsByTheirSpreadToo) {
    const auto passes = [](Independent independent, int more, int sd) {
        auto tally = sample_tallies::tally_of({coin, independent}, 1'000'000);
        for (int k = 0; k < 16; k++) {
            const auto hits = static_cast<Count>(500'000 + more + (k % 2 == 0 ? sd + k / 2 : -sd - k / 2));
            tally.add({&hits, 1});
        }
        try {
            tally.estimand().judge(tally);
            return true;
        } catch (const VerdictError&) {
            return false;
        }
    };
    for (const auto independent : {Independent::samples, Independent::counts, Independent::launches}) {
        EXPECT_TRUE(passes(independent, 600, 500));
        EXPECT_FALSE(passes(independent, 650, 500));
    }
    EXPECT_TRUE(passes(Independent::launches, 100, 50));
    EXPECT_FALSE(passes(Independent::launches, 120, 50));
}

/// The sum of the counts of a launch; nothing if they are refused.
std::optional<std::uint64_t> sum(const std::vector<Count>& counts, std::uint64_t samples, const Law& law) {
    try {
        return bench::sum_published(counts, samples, law);
    } catch (const VerdictError&) {
        return std::nullopt;
    }
}

TEST(SumPublished, AddsTheCountsAndFindsThoseThatCannotBe) {
    constexpr Law anything = {coin, Independent::counts, 1e12};
    constexpr Count unwritten = 0xffffffffffffffff;
    const struct {
        std::vector<Count> counts;
        std::uint64_t samples;
        std::optional<std::uint64_t> sum;
    } table[] = {
        {{7}, 10, 7},
        {{0, 3, 0, 4}, 10, 7},
        {{5, 5}, 10, 10},
        {{4'000'000'000, 4'000'000'000}, 10'000'000'000, 8'000'000'000},
        {{unwritten}, 10, {}},
        {{unwritten}, UINT64_MAX, {}},
        {{1, 2, unwritten}, 10, {}},
        {{unwritten, 1}, 10, {}},  // these sums wrap around
        {{two_to_63, two_to_63, 5}, 10, {}},
        {{9, 0xfffffffffffffff0, 9}, 10, {}},
        {{two_to_63, two_to_63}, two_to_63, {}},
        {{11}, 10, {}},
        {{5, 6}, 10, {}},
    };
    for (const auto& [counts, samples, expected] : table) EXPECT_EQ(sum(counts, samples, anything), expected);
}

// 10 sd of 10,000 samples are 500 hits of a coin and 433.01 of what hits in one case of four; with four times the variance
// 866.03.
TEST(SumPublished, FindsACountOrALaunchBeyondTenSigmaOrItsOwnSamples) {
    const Law fair = {coin}, quarter = {{1, 4}}, wide = {{1, 4}, Independent::counts, 4};
    const struct {
        Law law;
        std::vector<Count> counts;  // of 10,000 samples each
        bool pass;
    } table[] = {
        {fair, {4'510, 5'490}, true},
        {fair, {4'490, 5'000}, false},
        {fair, {5'000, 5'510}, false},
        {fair, {5'400, 5'400, 5'400, 5'400}, false},  // 16 sd of all
        {quarter, {2'500, 2'933, 2'500, 2'067}, true},
        {quarter, {2'500, 2'934, 2'500, 2'500}, false},
        {quarter, {2'500, 2'500, 2'500, 2'066}, false},
        {wide, {2'500, 3'366, 2'500, 2'500}, true},
        {wide, {2'500, 3'367, 2'500, 2'500}, false},
    };
    for (const auto& [law, counts, pass] : table) {
        EXPECT_EQ(sum(counts, 10'000 * counts.size(), law).has_value(), pass) << counts[0] << ", " << counts[1];
    }
    EXPECT_TRUE(sum({10, 2}, 20, fair));
    EXPECT_FALSE(sum({11, 1}, 20, fair)) << "4 sd, but of 10 samples";
}

}  // namespace
