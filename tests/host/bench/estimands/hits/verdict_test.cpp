// Which hit counts the verdict accepts.
#include "bench/estimands/hits/verdict.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/chance/limits.hpp"

namespace {

using bench::Count;
using bench::Expectation;
using bench::judge;
using bench::Outcome;
using bench::VerdictError;

constexpr Expectation coin = {1, 2};  // of 10,000 throws 5,000 hit, give or take 50
constexpr Expectation quarter_circle = {14488039784235215844u, 18446744073709551616.0};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Judge, AcceptsFourSigmaOnBothSides) {
    EXPECT_NO_THROW(judge({4'800, 10'000}, coin));
    EXPECT_NO_THROW(judge({5'000, 10'000}, coin));
    EXPECT_NO_THROW(judge({5'200, 10'000}, coin));
}

TEST(Judge, RejectsSixSigmaOnBothSides) {
    EXPECT_THROW(judge({4'700, 10'000}, coin), VerdictError);
    EXPECT_THROW(judge({5'300, 10'000}, coin), VerdictError);
}

TEST(Judge, TheLimitIsFiveSigma) {
    EXPECT_NO_THROW(judge({4'750, 10'000}, coin));
    EXPECT_NO_THROW(judge({5'250, 10'000}, coin));
    EXPECT_THROW(judge({4'749, 10'000}, coin), VerdictError);
    EXPECT_THROW(judge({5'251, 10'000}, coin), VerdictError);
}

// Mean plus -6, -4, 4 and 6 standard deviations, from Python's rational numbers.
struct Judged {
    std::uint64_t samples;
    std::uint64_t rejected_low, accepted_low, accepted_high, rejected_high;
};
const Judged large_runs[] = {
    {1'000'000'000'000, 785395747186, 785396568276, 785399852636, 785400673726},
    {std::uint64_t{1} << 62, 3622009940768961489, 3622009942532242313, 3622009949585365609, 3622009951348646433},
    {std::uint64_t{1} << 63, 7244019884636640960, 7244019887130296614, 7244019897104919230, 7244019899598574884},
};

TEST(Judge, HoldsUpToTheLargestRuns) {
    for (const Judged& run : large_runs) {
        SCOPED_TRACE(run.samples);
        EXPECT_THROW(judge({run.rejected_low, run.samples}, quarter_circle), VerdictError);
        EXPECT_NO_THROW(judge({run.accepted_low, run.samples}, quarter_circle));
        EXPECT_NO_THROW(judge({run.accepted_high, run.samples}, quarter_circle));
        EXPECT_THROW(judge({run.rejected_high, run.samples}, quarter_circle), VerdictError);
    }
}

TEST(Judge, RejectsWhatIsNotANumber) {
    EXPECT_THROW(judge({5'000, 10'000}, {0, 0}), VerdictError);
    EXPECT_THROW(judge({5'000, 10'000}, {1, 0}), VerdictError);
    EXPECT_THROW(judge({5'000, 10'000}, {1, nan}), VerdictError);
}

TEST(Judge, RejectsMoreHitsThanSamples) {
    EXPECT_THROW(judge({10'001, 10'000}, coin), VerdictError);
    EXPECT_THROW(judge({2, 1}, coin), VerdictError);  // 3 sigma only
}

TEST(Judge, RejectsARunWithoutSamples) { EXPECT_THROW(judge({0, 0}, coin), VerdictError); }

TEST(Judge, RejectsAKernelThatHitsAlwaysOrNever) {
    EXPECT_THROW(judge({1'000'000, 1'000'000}, quarter_circle), VerdictError);
    EXPECT_THROW(judge({0, 1'000'000}, quarter_circle), VerdictError);
}

TEST(Judge, HoldsCertainOutcomesToTheLetter) {
    EXPECT_NO_THROW(judge({1'000, 1'000}, {1, 1}));
    EXPECT_THROW(judge({999, 1'000}, {1, 1}), VerdictError);
    EXPECT_NO_THROW(judge({0, 1'000}, {0, 1}));
    EXPECT_THROW(judge({1, 1'000}, {0, 1}), VerdictError);
}

TEST(Judge, SaysWhyInOneLine) {
    try {
        judge({5'300, 10'000}, coin);
        FAIL() << "accepted";
    } catch (const VerdictError& error) {
        const std::string line = error.what();
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        EXPECT_FALSE(line.empty());
        EXPECT_EQ(error.code(), 1);
    }
}

TEST(Sigma, IsSigned) {
    EXPECT_DOUBLE_EQ(bench::sigma({4'800, 10'000}, coin), -4);
    EXPECT_DOUBLE_EQ(bench::sigma({5'000, 10'000}, coin), 0);
    EXPECT_DOUBLE_EQ(bench::sigma({5'200, 10'000}, coin), 4);
}

TEST(Sigma, IsPreciseForTheLargestRuns) {
    for (const Judged& run : large_runs) {
        EXPECT_NEAR(bench::sigma({run.accepted_low, run.samples}, quarter_circle), -4, 1e-4) << run.samples;
        EXPECT_NEAR(bench::sigma({run.accepted_high, run.samples}, quarter_circle), 4, 1e-4) << run.samples;
    }
}

using bench::Independent;
using bench::Law;
using bench::Spread;
using bench::Uncertainty;
using bench::uncertainty;

Spread spread(std::uint64_t units, double ratio = 4) { return bench::spread_of_units(ratio, units, "blocks"); }

TEST(Sigma, GrowsAsTheVarianceShrinks) {
    EXPECT_DOUBLE_EQ(bench::sigma({5'200, 10'000}, coin, 4), 2);
    EXPECT_DOUBLE_EQ(bench::sigma({4'800, 10'000}, coin, 4), -2);
    EXPECT_DOUBLE_EQ(bench::sigma({4'800, 10'000}, coin, 0.25), -8);
}

TEST(Uncertainty, OfWhatIsKnownIsThatWhateverTheSpread) {
    for (const std::optional<Spread>& any :
         {std::optional<Spread>(), std::optional(spread(2)), std::optional(spread(100))}) {
        for (const auto& [independent, ratio] : {std::pair{Independent::samples, 1.0}, {Independent::counts, 7.5}}) {
            const auto chance = uncertainty({coin, independent, ratio}, any);
            ASSERT_TRUE(chance);
            EXPECT_EQ(chance->variance_ratio, ratio);
            EXPECT_EQ(bench::sigma_limit(chance->degrees_of_freedom), 5);
        }
    }
}

constexpr Law point_set = {coin, Independent::launches};

TEST(Uncertainty, OfPointSetsIsTheirSpread) {
    const auto chance = uncertainty(point_set, spread(16));
    ASSERT_TRUE(chance);
    EXPECT_EQ(chance->variance_ratio, 4);
    EXPECT_EQ(chance->degrees_of_freedom, 15);
}

TEST(Uncertainty, OfPointSetsNeedsSixteenLaunches) {
    EXPECT_FALSE(uncertainty(point_set, std::nullopt));
    EXPECT_FALSE(uncertainty(point_set, spread(15)));
}

// 826 hits of 10,000 throws, and 827, are 8.26 and 8.27 measured standard deviations of 100.
TEST(Judge, TheLimitOfAMeasuredSpreadIsStudents) {
    const Uncertainty chance = {4, 15};
    EXPECT_NO_THROW(judge({5'826, 10'000}, coin, chance));
    EXPECT_THROW(judge({5'827, 10'000}, coin, chance), VerdictError);
    EXPECT_NO_THROW(judge({4'174, 10'000}, coin, chance));
    EXPECT_THROW(judge({4'173, 10'000}, coin, chance), VerdictError);
}

// The variance is two thousand times less than the binomial: one sd is 1.1 throws, five and a quarter are 5.9.
TEST(Judge, ASmallSpreadIsHeldAgainstTheHits) {
    EXPECT_NO_THROW(judge({5'005, 10'000}, coin, {0.0005, 131}));
    EXPECT_THROW(judge({5'006, 10'000}, coin, {0.0005, 131}), VerdictError);
}

TEST(Judge, WithoutAnySpreadTheHitsAreToTheLetter) {
    EXPECT_NO_THROW(judge({5'000, 10'000}, coin, {0, 15}));
    EXPECT_THROW(judge({5'001, 10'000}, coin, {0, 15}), VerdictError);
}

TEST(Judge, RejectsAMeasuredSpreadThatIsNotANumber) {
    EXPECT_THROW(judge({5'000, 10'000}, coin, {nan, 15}), VerdictError);
    EXPECT_THROW(judge({5'001, 10'000}, coin, {nan, 15}), VerdictError);
    EXPECT_THROW(judge({5'001, 10'000}, coin, {-1, 15}), VerdictError);
    EXPECT_ANY_THROW(judge({5'000, 10'000}, coin, {1, nan}));
}

bool spread_passes(std::uint64_t units, double ratio, const Law& law, std::uint64_t samples_of_unit = 1'000) {
    try {
        bench::judge_spread(spread(units, ratio), law, samples_of_unit);
        return true;
    } catch (const VerdictError&) {
        return false;
    }
}

// Chi-squared over its degrees of freedom at a probability of 2.867e-7 on each side, from the series and the continued
// fraction of the incomplete gamma function in Python: 0.067835 and 3.978426 for 15, 0.930879 and 1.072321 for 9999;
// plus 5 %.
TEST(JudgeSpread, AllowsWhatChanceAllowsAndFivePercent) {
    for (const double known : {1.0, 7.5}) {
        const Law law = {coin, Independent::counts, known};
        EXPECT_TRUE(spread_passes(16, known * 0.0645, law));
        EXPECT_FALSE(spread_passes(16, known * 0.0644, law));
        EXPECT_TRUE(spread_passes(16, known * 4.177, law));
        EXPECT_FALSE(spread_passes(16, known * 4.178, law));
        EXPECT_TRUE(spread_passes(10'000, known * 0.88434, law));
        EXPECT_FALSE(spread_passes(10'000, known * 0.88433, law));
        EXPECT_TRUE(spread_passes(10'000, known * 1.12593, law));
        EXPECT_FALSE(spread_passes(10'000, known * 1.12594, law));
        EXPECT_FALSE(spread_passes(10'000, nan, law));
    }
}

TEST(JudgeSpread, OfDemonstrationsMayBeOffByAQuarter) {
    const Law law = {coin, Independent::samples, 1, bench::demonstration_tolerance};
    EXPECT_TRUE(spread_passes(1'000'000'000'000, 1.2499, law));
    EXPECT_FALSE(spread_passes(1'000'000'000'000, 1.2505, law));
    EXPECT_TRUE(spread_passes(1'000'000'000'000, 0.7501, law));
    EXPECT_FALSE(spread_passes(1'000'000'000'000, 0.7495, law));
}

TEST(JudgeSpread, OfPointSetsIsTheBinomialsAtMost) {
    EXPECT_TRUE(spread_passes(10'000, 1e-9, point_set));
    EXPECT_TRUE(spread_passes(10'000, 1.12593, point_set));
    EXPECT_FALSE(spread_passes(10'000, 1.12594, point_set));
}

TEST(JudgeSpread, OfFewOrSmallUnitsSaysNothing) {
    EXPECT_TRUE(spread_passes(15, 100, {coin}));
    EXPECT_FALSE(spread_passes(16, 100, {coin}));
    EXPECT_TRUE(spread_passes(16, 100, {coin}, 99));  // a variance of 24.75
    EXPECT_FALSE(spread_passes(16, 100, {coin}, 100));
}

std::uint64_t sum_published(const std::vector<Count>& counts, std::uint64_t samples) {
    constexpr Law anything = {coin, Independent::counts, 1e12};
    return bench::sum_published(counts, samples, anything);
}

TEST(SumPublished, AddsTheCounts) {
    EXPECT_EQ(sum_published({7}, 10), 7u);
    EXPECT_EQ(sum_published({0, 3, 0, 4}, 10), 7u);
    EXPECT_EQ(sum_published({0, 0}, 10), 0u);
    EXPECT_EQ(sum_published({5, 5}, 10), 10u);
}

TEST(SumPublished, AddsIn64Bits) {
    EXPECT_EQ(sum_published({4'000'000'000, 4'000'000'000}, 10'000'000'000), 8'000'000'000u);
}

TEST(SumPublished, FindsACountLeftUnwritten) {
    const Count unwritten = 0xffffffffffffffff;
    EXPECT_THROW(sum_published({unwritten}, 10), VerdictError);
    EXPECT_THROW(sum_published({unwritten}, UINT64_MAX), VerdictError);
    EXPECT_THROW(sum_published({1, 2, unwritten}, 10), VerdictError);
    EXPECT_THROW(sum_published({unwritten, 1}, 10), VerdictError);  // the sum wraps around to 0
}

TEST(SumPublished, FindsMoreHitsThanSamples) {
    EXPECT_THROW(sum_published({11}, 10), VerdictError);
    EXPECT_THROW(sum_published({5, 6}, 10), VerdictError);
}

TEST(SumPublished, FindsACountOrALaunchBeyondTenSigma) {
    const bench::Law law = {coin};
    const auto hits = [&](const std::vector<Count>& counts) {
        return bench::sum_published(counts, 10'000 * counts.size(), law);
    };
    EXPECT_EQ(hits({4'510, 5'490}), 10'000u);
    EXPECT_THROW(hits({4'490, 5'000}), VerdictError);
    EXPECT_THROW(hits({5'000, 5'510}), VerdictError);
    EXPECT_THROW(hits({5'400, 5'400, 5'400, 5'400}), VerdictError);  // 16 sd of all
}

TEST(SumPublished, FindsASumThatWrapsAround) {
    const Count half = Count{1} << 63;
    EXPECT_THROW(sum_published({half, half, 5}, 10), VerdictError);
    EXPECT_THROW(sum_published({9, 0xfffffffffffffff0, 9}, 10), VerdictError);
    EXPECT_THROW(sum_published({half, half}, std::uint64_t{1} << 63), VerdictError);
}

}  // namespace
