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

// Of a hundred values the interval is from the 40th to the 61st; that to expect of four times as many is half as wide. With
// fewer than six values it is the range.
TEST(Summarize, IsTheMedianAndItsInterval) {
    Values mostly_zero(20, 0.0);
    mostly_zero.back() = 1;
    const struct {
        Values values;
        double times_more;
        Summary summary;
    } table[] = {
        {{1, 100, 2, 8, 3, 7, 4, 6, 5}, 1, {5, 2, 8, 1, 100, true}},
        {{1, 12, 2, 11, 3, 10, 4, 9, 5, 8}, 1, {6.5, 2, 11, 1, 12, true}},
        {in_turn(100), 1, {50.5, 40, 61, 1, 100, true}},
        {in_turn(100), 4, {50.5, 45, 56, 1, 100, true}},
        {{2.5}, 1, {2.5, 2.5, 2.5, 2.5, 2.5, false}},
        {{1, 2, 3, 4, 50}, 1, {3, 1, 50, 1, 50, false}},
        {{1, 60, 2, 5, 3, 4}, 1, {3.5, 1, 60, 1, 60, true}},
        {{7, 1, 9, 3, 5, 2, 8, 6, 4}, 1, {5, 2, 8, 1, 9, true}},
        {Values(10, 3.25), 1, {3.25, 3.25, 3.25, 3.25, 3.25, true}},
        {mostly_zero, 1, {0, 0, 0, 0, 1, true}},
    };
    for (const auto& [values, times_more, expected] : table) {
        const Summary s = bench::summarize(values, times_more);
        EXPECT_EQ(s.median, expected.median);
        EXPECT_EQ(s.low, expected.low);
        EXPECT_EQ(s.high, expected.high);
        EXPECT_EQ(s.min, expected.min);
        EXPECT_EQ(s.max, expected.max);
        EXPECT_EQ(s.interval_is_95, expected.interval_is_95);
    }
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

TEST(Summarize, RefusesNoValuesAndThoseThatAreNegativeOrNotFinite) {
    using Limits = std::numeric_limits<double>;
    EXPECT_THROW(summarize({}), std::invalid_argument);
    for (const double odd : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), -1.0}) {
        EXPECT_THROW(summarize({odd}), std::invalid_argument) << odd;
        EXPECT_THROW(summarize({1, 2, odd, 4, 5, 6, 7}), std::invalid_argument) << odd;
    }
}

}  // namespace
