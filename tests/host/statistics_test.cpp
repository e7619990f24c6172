// Median and its interval. Ranks were computed with Python's integers: the largest j with 40 * sum(C(n, i), i < j) <= 2^n.
#include "bench/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using bench::interval_rank;
using bench::Summary;
using Values = std::vector<double>;

Summary summarize(const Values& values) { return bench::summarize(values); }

/// 1, 2, ..., n.
Values first_numbers(std::size_t n) {
    Values values(n);
    std::iota(values.begin(), values.end(), 1);
    return values;
}

TEST(IntervalRank, IsThatOfExactArithmetic) {
    const std::size_t ranks[] = {0,  0,  0,  0,  0,  0,  1,  1,  1,  2,  2,  2,  3,  3,  3,  4,  4,  5,  5,  5,  6,
                                 6,  6,  7,  7,  8,  8,  8,  9,  9,  10, 10, 10, 11, 11, 12, 12, 13, 13, 13, 14, 14,
                                 15, 15, 16, 16, 16, 17, 17, 18, 18, 19, 19, 19, 20, 20, 21, 21, 22, 22, 22};
    for (std::size_t n = 1; n < std::size(ranks); n++) {
        EXPECT_EQ(interval_rank(n), ranks[n]) << n << " values";
    }
}

// 2^-n is no double from n = 1075 on.
TEST(IntervalRank, HoldsForManyValues) {
    const std::pair<std::size_t, std::size_t> ranks[] = {{70, 27},    {100, 40},   {101, 41},    {250, 110},
                                                         {1000, 469}, {1001, 470}, {4999, 2430}, {20000, 9861}};
    for (const auto& [n, rank] : ranks) {
        EXPECT_EQ(interval_rank(n), rank) << n << " values";
    }
}

// With j, the interval misses the median at most once in 20 times; with j + 1 it would more often.
TEST(IntervalRank, GivesTheShortestIntervalThatCovers95Percent) {
    std::vector<std::uint64_t> binomials = {1};  // a row of Pascal's triangle
    for (std::size_t n = 1; n <= 57; n++) {
        binomials.push_back(0);
        for (std::size_t i = n; i > 0; i--) {
            binomials[i] += binomials[i - 1];
        }
        const auto begin = binomials.begin();
        const auto rank = static_cast<std::ptrdiff_t>(interval_rank(n));
        const std::uint64_t outcomes = std::uint64_t{1} << n;
        EXPECT_LE(40 * std::accumulate(begin, begin + rank, std::uint64_t{0}), outcomes) << n << " values";
        EXPECT_GT(40 * std::accumulate(begin, begin + rank + 1, std::uint64_t{0}), outcomes) << n << " values";
    }
}

TEST(Summarize, OddNumberOfValues) {
    const Summary s = summarize({1, 2, 3, 4, 5, 6, 7, 8, 100});
    EXPECT_EQ(s.median, 5);
    EXPECT_EQ(s.low, 2);
    EXPECT_EQ(s.high, 8);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 100);
    EXPECT_TRUE(s.interval_is_95);
}

TEST(Summarize, EvenNumberOfValues) {
    const Summary s = summarize({1, 2, 3, 4, 5, 8, 9, 10, 11, 12});
    EXPECT_EQ(s.median, 6.5);
    EXPECT_EQ(s.low, 2);
    EXPECT_EQ(s.high, 11);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 12);
    EXPECT_TRUE(s.interval_is_95);
}

TEST(Summarize, AHundredValues) {
    const Summary s = summarize(first_numbers(100));
    EXPECT_EQ(s.median, 50.5);
    EXPECT_EQ(s.low, 40);
    EXPECT_EQ(s.high, 61);
}

TEST(Summarize, OneValue) {
    const Summary s = summarize({2.5});
    EXPECT_EQ(s.median, 2.5);
    EXPECT_EQ(s.low, 2.5);
    EXPECT_EQ(s.high, 2.5);
    EXPECT_EQ(s.min, 2.5);
    EXPECT_EQ(s.max, 2.5);
    EXPECT_FALSE(s.interval_is_95);
}

TEST(Summarize, FiveValuesAreTooFewForAnInterval) {
    const Summary s = summarize({1, 2, 3, 4, 50});
    EXPECT_EQ(s.median, 3);
    EXPECT_EQ(s.low, 1);
    EXPECT_EQ(s.high, 50);
    EXPECT_FALSE(s.interval_is_95);
}

TEST(Summarize, SixValuesAreEnough) {
    const Summary s = summarize({1, 2, 3, 4, 5, 60});
    EXPECT_EQ(s.median, 3.5);
    EXPECT_EQ(s.low, 1);
    EXPECT_EQ(s.high, 60);
    EXPECT_TRUE(s.interval_is_95);
}

TEST(Summarize, OrderDoesNotMatter) {
    const Values values = {7, 1, 9, 3, 5, 2, 8, 6, 4};
    const Summary s = summarize(values);
    EXPECT_EQ(s.median, 5);
    EXPECT_EQ(s.low, 2);
    EXPECT_EQ(s.high, 8);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 9);
    EXPECT_EQ(values.front(), 7) << "the caller's values keep their order";
}

TEST(Summarize, EqualValuesHaveAnIntervalOfNoWidth) {
    const Summary s = summarize(Values(10, 3.25));
    EXPECT_EQ(s.median, 3.25);
    EXPECT_EQ(s.low, 3.25);
    EXPECT_EQ(s.high, 3.25);
}

TEST(Summarize, NoValuesAreRefused) { EXPECT_THROW(summarize({}), std::invalid_argument); }

TEST(Summarize, ValuesThatAreNotFiniteAreRefused) {
    using Limits = std::numeric_limits<double>;
    for (const double odd : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
        EXPECT_THROW(summarize({odd}), std::invalid_argument) << odd;
        EXPECT_THROW(summarize({1, 2, odd, 4, 5, 6, 7}), std::invalid_argument) << odd;
    }
}

TEST(RunningVariance, IsTheSampleVariance) {
    bench::RunningVariance v;
    EXPECT_EQ(v.variance(), std::nullopt);
    v.add(2);
    EXPECT_EQ(v.variance(), std::nullopt);
    v.add(4);
    EXPECT_DOUBLE_EQ(*v.variance(), 2);
    v.add(9);
    EXPECT_DOUBLE_EQ(*v.variance(), 13);  // 9 + 1 + 16 over 2
    EXPECT_EQ(v.count(), 3u);
}

// Where the sum of squares and the square of the sum have 30 digits in common.
TEST(RunningVariance, KeepsTheDigitsOfSmallDifferences) {
    bench::RunningVariance v;
    for (int i = 0; i < 1000; i++) {
        v.add(1e15 + (i % 2 == 0 ? 1 : -1));
    }
    EXPECT_NEAR(*v.variance(), 1000.0 / 999, 1e-3);
}

// Fisher and Yates, "Statistical Tables", table III.
TEST(StudentTQuantile, IsThatOfTheTables) {
    EXPECT_NEAR(bench::student_t_quantile(0.05, 1), 12.706, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.05, 15), 2.131, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.01, 10), 3.169, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.001, 30), 3.646, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.05, 1e12), 1.960, 5e-4);
}

}  // namespace
