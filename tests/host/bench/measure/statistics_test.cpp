// Median and its interval. Python's integers gave the ranks: the largest j with 40 * sum(C(n, i), i < j) <=
// 2^n.
#include "bench/measure/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
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

/// 1, n, 2, n - 1, ...: alternating low and high values do not look dependent.
Values in_turn(std::size_t n) {
    Values values(n);
    for (std::size_t i = 0; i < n; i++) {
        values[i] = static_cast<double>(i % 2 == 0 ? i / 2 + 1 : n - i / 2);
    }
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

// 2^-n underflows from n = 1075 on.
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
    const Summary s = summarize({1, 100, 2, 8, 3, 7, 4, 6, 5});
    EXPECT_EQ(s.median, 5);
    EXPECT_EQ(s.low, 2);
    EXPECT_EQ(s.high, 8);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 100);
    EXPECT_TRUE(s.interval_is_95);
}

TEST(Summarize, EvenNumberOfValues) {
    const Summary s = summarize({1, 12, 2, 11, 3, 10, 4, 9, 5, 8});
    EXPECT_EQ(s.median, 6.5);
    EXPECT_EQ(s.low, 2);
    EXPECT_EQ(s.high, 11);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 12);
    EXPECT_TRUE(s.interval_is_95);
}

TEST(Summarize, AHundredValues) {
    const Summary s = summarize(in_turn(100));
    EXPECT_EQ(s.median, 50.5);
    EXPECT_EQ(s.low, 40);
    EXPECT_EQ(s.high, 61);
}

// Four times as many: half as far from the middle.
TEST(Summarize, ExpectsANarrowerIntervalOfMoreValues) {
    const Summary s = bench::summarize(in_turn(100), 4);
    EXPECT_EQ(s.median, 50.5);
    EXPECT_EQ(s.low, 45);
    EXPECT_EQ(s.high, 56);
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
    const Summary s = summarize({1, 60, 2, 5, 3, 4});
    EXPECT_EQ(s.median, 3.5);
    EXPECT_EQ(s.low, 1);
    EXPECT_EQ(s.high, 60);
    EXPECT_TRUE(s.interval_is_95);
}

TEST(Summarize, LeavesTheValuesAsTheyAre) {
    const Values values = {7, 1, 9, 3, 5, 2, 8, 6, 4};
    const Summary s = summarize(values);
    EXPECT_EQ(s.median, 5);
    EXPECT_EQ(s.low, 2);
    EXPECT_EQ(s.high, 8);
    EXPECT_EQ(s.min, 1);
    EXPECT_EQ(s.max, 9);
    EXPECT_EQ(values, (Values{7, 1, 9, 3, 5, 2, 8, 6, 4}));
}

TEST(Summarize, EqualValuesHaveAnIntervalOfNoWidth) {
    const Summary s = summarize(Values(10, 3.25));
    EXPECT_EQ(s.median, 3.25);
    EXPECT_EQ(s.low, 3.25);
    EXPECT_EQ(s.high, 3.25);
}

// The interval of a hundred values in random order is from 40 to 61.
TEST(Summarize, ValuesThatRiseAllAlongHaveAWideInterval) {
    const Summary s = summarize(first_numbers(100));
    EXPECT_EQ(s.median, 50.5);
    EXPECT_LT(s.low, 5);
    EXPECT_GT(s.high, 95);
    EXPECT_TRUE(s.interval_is_95);
}

TEST(Summarize, ValuesThatDependOnEachOtherHaveAWiderInterval) {
    const Summary alone = summarize(in_turn(100));
    Values pairs;  // 1, 1, 100, 100, 2, 2, ...
    for (const double value : in_turn(100)) pairs.insert(pairs.end(), {value, value});
    const Summary twice = summarize(pairs);
    EXPECT_LE(twice.low, alone.low) << "200 values that are worth 100";
    EXPECT_GE(twice.high, alone.high);
}

TEST(Summarize, TimesAndRatesHaveTheSameInterval) {
    for (const Values& times : {in_turn(9), in_turn(101), first_numbers(7), first_numbers(101)}) {
        Values rates;
        for (const double time : times) rates.push_back(1 / time);
        const Summary of_times = summarize(times), of_rates = summarize(rates);
        EXPECT_DOUBLE_EQ(of_rates.low, 1 / of_times.high);
        EXPECT_DOUBLE_EQ(of_rates.high, 1 / of_times.low);
    }
}

TEST(Summarize, ZerosAreValues) {
    Values mostly_zero(20, 0.0);
    mostly_zero.back() = 1;
    const Summary s = summarize(mostly_zero);
    EXPECT_EQ(s.low, 0);
    EXPECT_EQ(s.high, 0);
    EXPECT_EQ(s.max, 1);
}

TEST(Summarize, NoValuesAreRefused) { EXPECT_THROW(summarize({}), std::invalid_argument); }

TEST(Summarize, ValuesThatAreNegativeOrNotFiniteAreRefused) {
    using Limits = std::numeric_limits<double>;
    for (const double odd : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), -1.0}) {
        EXPECT_THROW(summarize({odd}), std::invalid_argument) << odd;
        EXPECT_THROW(summarize({1, 2, odd, 4, 5, 6, 7}), std::invalid_argument) << odd;
    }
}

}  // namespace
