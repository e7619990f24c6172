// The estimate, its standard deviation, its bias and its digits. The expected values come from Python's decimal numbers
// with 50 digits.
#include <gtest/gtest.h>

#include <cstdint>

#include "bench/estimands/hits/law.hpp"

namespace {

using bench::bias;
using bench::error_bound;
using bench::estimate;
using bench::estimate_sd;
using bench::Expectation;

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;
constexpr Expectation coin = {1, 2};
constexpr Expectation quarter_circle = {14488039784235215844u, 18446744073709551616.0};
constexpr Expectation lcg_mantissa = {3373260247, 4294967296.0};
constexpr Expectation certain = {1, 1};

TEST(Estimate, IsFourTimesTheShareOfHits) {
    EXPECT_DOUBLE_EQ(estimate({785'398'163, 1'000'000'000}), 3.141592652);
    EXPECT_DOUBLE_EQ(estimate({std::uint64_t{3} << 61, two_to_63}), 3.0) << "four times the hits pass 64 bits";
}

// In 10,000 throws of a coin the fraction of hits is 0.5 +- 0.005; nine times the variance is three times that. For a
// quarter circle it is sqrt(pi (4 - pi) / N): P is pi/4 to seven digits.
TEST(EstimateSd, IsThatOfTheExpectationAndNotOfTheHits) {
    for (const std::uint64_t hits : {0, 5'000, 10'000}) {
        EXPECT_DOUBLE_EQ(estimate_sd({hits, 10'000}, coin), 0.02);
        EXPECT_DOUBLE_EQ(estimate_sd({hits, 10'000}, coin, 9), 0.06);
        EXPECT_DOUBLE_EQ(estimate_sd({hits, 10'000}, coin, 0.0001), 0.0002);
    }
    EXPECT_NEAR(estimate_sd({0, 1'000'000}, quarter_circle) / 0.00164218336773687, 1, 1e-6);
    EXPECT_NEAR(estimate_sd({0, two_to_63}, quarter_circle) / 5.40725418961661e-10, 1, 1e-6);
    EXPECT_EQ(estimate_sd({1'000, 1'000}, certain), 0);
}

TEST(Bias, IsThatOfTheExpectation) {
    EXPECT_NEAR(bias(quarter_circle), 1.8823505474799e-7, 1e-15);
    EXPECT_NEAR(bias(lcg_mantissa), 7.6449429174918e-7, 1e-15);
    EXPECT_NEAR(bias({3373259442, 4294967295.0}), 1.55110782269626e-8, 1e-15);
    EXPECT_DOUBLE_EQ(bias(certain), 0.85840734641020676);
    EXPECT_DOUBLE_EQ(bias(coin), -1.1415926535897932);
}

TEST(ErrorBound, IsTheBiasAndTwoStandardDeviations) {
    EXPECT_NEAR(error_bound({0, 1'000'000'000'000}, lcg_mantissa), 7.644943e-7 + 2 * 1.642183e-6, 1e-11);
    EXPECT_DOUBLE_EQ(error_bound({5'000, 10'000}, coin), 1.1415926535897932 + 0.04) << "the bias is negative";
    EXPECT_DOUBLE_EQ(error_bound({5'000, 10'000}, coin, 9), 1.1415926535897932 + 0.12);
    EXPECT_DOUBLE_EQ(error_bound({1'000, 1'000}, certain), 0.85840734641020676);
}

}  // namespace
