// Exact sums of counts, and their variance.
#include "bench/estimands/chance/count_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using bench::CountSums;

void add(CountSums& sums, std::uint64_t value) {
    sums.count++;
    sums.sum += value;
    sums.sum_of_squares += bench::Uint128{value} * value;
}

CountSums sums_of(const std::vector<std::uint64_t>& values) {
    CountSums sums;
    for (const std::uint64_t value : values) add(sums, value);
    return sums;
}

TEST(CountSums, HaveTheSampleVariance) {
    CountSums v;
    EXPECT_EQ(v.variance(), std::nullopt);
    add(v, 2);
    EXPECT_EQ(v.variance(), std::nullopt);
    add(v, 4);
    EXPECT_DOUBLE_EQ(*v.variance(), 2);
    add(v, 9);
    EXPECT_DOUBLE_EQ(*v.variance(), 13);  // 9 + 1 + 16 over 2
    EXPECT_EQ(v.count, 3u);
}

// The sum of squares and the square of the sum have 30 digits in common.
TEST(CountSums, KeepTheDigitsOfSmallDifferences) {
    CountSums v;
    for (int i = 0; i < 1000; i++) {
        add(v, 1'000'000'000'000'000 + (i % 2 == 0 ? 1 : -1));
    }
    EXPECT_DOUBLE_EQ(*v.variance(), 1000.0 / 999);
}

// Distances of -1, 0, 1 from the mean; of -3, -1, 0, 1, 3, whose squares are 20.
TEST(CountSums, AreExactWhereNoDoubleIs) {
    constexpr std::uint64_t large = std::uint64_t{1} << 60;
    EXPECT_EQ(sums_of({large - 1, large, large + 1}).variance(), 1.0);
    EXPECT_EQ(sums_of({large + 3, large - 1, large - 3, large, large + 1}).variance(), 5.0);
    EXPECT_EQ(sums_of({large + 1, large + 1, large + 1}).variance(), 0.0);
}

/// The sums of 2^k - 1 zeros.
CountSums zeros(int k) { return {(std::uint64_t{1} << k) - 1}; }

// x once in n: x^2 (n - 1) / (n (n - 1)) = x^2 / n.
TEST(CountSums, HoldForTheLargestRuns) {
    for (const int k : {1, 2, 40, 62}) {
        for (const int x : {62, 63}) {
            CountSums sums = zeros(k);
            add(sums, std::uint64_t{1} << x);
            EXPECT_EQ(sums.count, std::uint64_t{1} << k);
            EXPECT_EQ(sums.variance(), std::ldexp(1, 2 * x - k)) << "2^" << x << " once in 2^" << k;
        }
    }
}

/// The variance in two passes: the mean, then the squares of the distances from it.
double two_pass_variance(const std::vector<std::uint64_t>& values) {
    const auto n = static_cast<long double>(values.size());
    long double mean = 0, squares = 0;
    for (const std::uint64_t value : values) mean += static_cast<long double>(value) / n;
    for (const std::uint64_t value : values) squares += (value - mean) * (value - mean);
    return static_cast<double>(squares / (n - 1));
}

std::vector<std::uint64_t> random_values(std::size_t n, std::uint64_t from, std::uint64_t to) {
    std::mt19937_64 random(7);
    std::uniform_int_distribution<std::uint64_t> within(from, to);
    std::vector<std::uint64_t> values(n);
    for (std::uint64_t& value : values) value = within(random);
    return values;
}

TEST(CountSums, AgreeWithTwoPasses) {
    for (const auto& values : {random_values(1'000, 0, 10), random_values(1'000, 0, std::uint64_t{1} << 53),
                               random_values(1'000, 1'000'000'000'000, 1'000'001'000'000)}) {
        const double expected = two_pass_variance(values);
        EXPECT_NEAR(*sums_of(values).variance(), expected, 1e-12 * expected);
    }
}

}  // namespace
