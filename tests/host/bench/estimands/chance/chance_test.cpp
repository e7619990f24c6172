// What chance allows: quantiles, deviations, exact sums and their variance, the launch farthest from the others, digits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/chance/launches.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/text.hpp"

namespace {

using bench::CountSums;

// Fisher and Yates, "Statistical Tables", table III.
TEST(StudentTQuantile, IsThatOfTheTables) {
    EXPECT_NEAR(bench::student_t_quantile(0.05, 1), 12.706, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.05, 15), 2.131, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.001, 30), 3.646, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.05, 1e12), 1.960, 5e-4);
}

// Student's t for a two-sided probability of 5.733e-7: Abramowitz and Stegun, "Handbook of Mathematical Functions",
// 26.7.3, solved in Python by bisection.
TEST(SigmaLimit, IsPassedAsRarelyAsFiveSigma) {
    EXPECT_NEAR(bench::sigma_limit(15), 8.267096, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(131), 5.259150, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(1001), 5.032652, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(1e15), 5, 1e-6);
}

// Normal quantiles of the tail of 5 standard deviations, shared, from scipy.
TEST(SharedLimit, GrowsWithTheNumbersThatShareIt) {
    EXPECT_NEAR(bench::shared_sigma_limit(1), 5, 1e-9);
    EXPECT_NEAR(bench::shared_sigma_limit(64), 5.75, 0.005);
    EXPECT_NEAR(bench::shared_sigma_limit(25'568), 6.69, 0.005);
    EXPECT_NEAR(bench::shared_sigma_limit(1'000'000), 7.21, 0.005);
}

TEST(Deviation, WhatIsNotANumberIsTooFar) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(bench::is_too_far({-5, 5}));
    EXPECT_TRUE(bench::is_too_far({-5.01, 5}));
    EXPECT_TRUE(bench::is_too_far({nan, 5}));
    EXPECT_TRUE(bench::is_too_far({0, nan}));
    EXPECT_THROW(bench::demand_near(bench::Deviation{nan, 5}, "a sum"), bench::VerdictError);
}

// 3, 4 and 5 are the sides of a triangle: both errors count. What arithmetic may be off is added to the limit.
TEST(Deviation, IsRelativeToTheErrorsOfBoth) {
    const bench::Deviation off = bench::deviation(110, 3, {100, 4});
    EXPECT_DOUBLE_EQ(off.sigma, 2);
    EXPECT_DOUBLE_EQ(off.limit, 5);
    EXPECT_DOUBLE_EQ(bench::deviation(110, 2, {100, 0, 4}).limit, 7);
    EXPECT_DOUBLE_EQ(bench::deviation(110, 2, {100, 0, 4}, 12).limit, 14);
    EXPECT_FALSE(bench::is_too_far(bench::deviation(1, 0, {1}))) << "of a certain outcome";
    EXPECT_TRUE(bench::is_too_far(bench::deviation(1.5, 0, {1})));
}

CountSums sums_of(const std::vector<std::uint64_t>& values) {
    CountSums sums = {values.size()};
    for (const std::uint64_t value : values) {
        sums.sum += value;
        sums.sum_of_squares += bench::Uint128{value} * value;
        sums.least = std::min(sums.least, value);
        sums.most = std::max(sums.most, value);
    }
    return sums;
}

// Distances of -1, 0, 1 from the mean; of -3, -1, 0, 1, 3, whose squares are 20.
TEST(CountSums, HaveTheSampleVarianceAlsoWhereNoDoubleHas) {
    constexpr std::uint64_t large = std::uint64_t{1} << 60;
    const std::pair<std::vector<std::uint64_t>, std::optional<double>> table[] = {
        {{}, {}},
        {{2}, {}},
        {{2, 4}, 2},
        {{2, 4, 9}, 13},  // 9 + 1 + 16 over 2
        {{large - 1, large, large + 1}, 1},
        {{large + 3, large - 1, large - 3, large, large + 1}, 5},
        {{large + 1, large + 1, large + 1}, 0},
    };
    for (const auto& [values, variance] : table) EXPECT_EQ(sums_of(values).variance(), variance);
    // x once in n, among zeros: x^2 (n - 1) / (n (n - 1)) = x^2 / n.
    for (const int k : {1, 2, 40, 62}) {
        for (const int x : {62, 63}) {
            CountSums sums = sums_of({std::uint64_t{1} << x});
            sums.count = std::uint64_t{1} << k;
            EXPECT_EQ(sums.variance(), std::ldexp(1, 2 * x - k)) << "2^" << x << " once in 2^" << k;
        }
    }
}

bool extremes_pass(const std::vector<std::uint64_t>& launches) {
    try {
        bench::judge_extremes(sums_of(launches), "hits");
        return true;
    } catch (const bench::VerdictError&) {
        return false;
    }
}

// Fifteen numbers around 10^9 and one that is off. Its distance from the mean of the others, over their standard
// deviation and over the root of 1 + 1 / 15, follows Student's t with 14 degrees of freedom. One of 16 numbers exceeds
// 10.797 as rarely as one number exceeds 5 sd. The others have a variance of 20 (squares of 280 over 14), so it may be
// off by 49.87.
TEST(JudgeExtremes, AllowsWhatChanceAllowsTheFarthestOfAll) {
    std::vector<std::uint64_t> launches(16);
    std::iota(launches.begin(), launches.end(), 1'000'000'000);
    for (const auto& [off, passes] : {std::pair{49, true}, {50, false}, {10'000, false}, {-49, true}, {-50, false}}) {
        launches.back() = 1'000'000'007 + static_cast<std::uint64_t>(off);
        EXPECT_EQ(extremes_pass(launches), passes) << off;
    }
    std::vector<std::uint64_t> equal(16, 5'000'000'000), few(15, 5'000'000'000);
    EXPECT_TRUE(extremes_pass(equal));
    equal[3]++;
    EXPECT_FALSE(extremes_pass(equal)) << "among equal numbers none may differ";
    few[3] = 0;
    EXPECT_TRUE(extremes_pass(few)) << "of few numbers it says nothing";
}

// Half a unit of the last digit is enough.
TEST(BelievedDecimals, AreThoseThatTheBoundLeavesRight) {
    const std::pair<double, std::optional<int>> table[] = {
        {4.9e-6, 5}, {5.1e-6, 4}, {0.06, 0}, {0.04, 1}, {0.5, 0},      {0.05, 1},  {0.005, 2}, {5e-4, 3},  {5e-5, 4},
        {5e-6, 5},   {5e-7, 6},   {5e-8, 7}, {5e-9, 8}, {0.50001, {}}, {0.86, {}}, {0, 15},    {1e-18, 15}};
    for (const auto& [bound, decimals] : table) EXPECT_EQ(bench::believed_decimals(bound), decimals) << bound;
}

TEST(DecimalsTo, ReachTheFirstDigit) {
    const std::pair<double, int> table[] = {{2.0, 0},      {0.9, 1},    {0.11, 1}, {0.09, 2},
                                            {3.3e-10, 10}, {1e-18, 15}, {0, 0}};  // the last of a certain outcome
    for (const auto& [sd, decimals] : table) EXPECT_EQ(bench::decimals_to(sd), decimals) << sd;
}

}  // namespace
