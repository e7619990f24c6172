// Measures made-up values whose dependence is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "bench/measure/statistics.hpp"
#include "tests/host/bench/measure/autoregression.hpp"

namespace {

using bench::autocorrelation_time;
using Values = std::vector<double>;

Values values_of(double autocorrelation, std::size_t n, unsigned seed) {
    Autoregression next(autocorrelation, seed);
    Values values(n);
    for (double& value : values) value = next();
    return values;
}

/// The sum of the autocorrelations of the ranks of a normal process (of lag k: 6/pi asin(r^k / 2), Pearson 1907), to
/// either side.
double time_of_ranks(double r) {
    double time = 1;
    for (double power = r; power > 1e-6; power *= r) time += 2 * 6 / std::numbers::pi * std::asin(power / 2);
    return time;
}

double median_estimate(double autocorrelation, std::size_t n) {
    Values times;
    for (unsigned seed = 1; seed <= 101; seed++) {
        times.push_back(autocorrelation_time(values_of(autocorrelation, n, seed)));
    }
    std::nth_element(times.begin(), times.begin() + 50, times.end());
    return times[50];
}

// It errs on the safe side, but by less than a factor of two: 40 % in the width of an interval.
TEST(AutocorrelationTime, IsThatOfAKnownProcess) {
    for (const double r : {0.0, 0.5, 0.9}) {
        const double known = time_of_ranks(r), estimate = median_estimate(r, 2000);
        EXPECT_GE(estimate, known) << r;
        EXPECT_LE(estimate, 2 * known) << r;
    }
}

// A fast scatter hides a slow drift from neighbouring values.
TEST(AutocorrelationTime, IsSeenUnderScatter) {
    Values values = values_of(0.99, 4000, 1);
    const Values scatter = values_of(0, 4000, 2);
    for (std::size_t i = 0; i < values.size(); i++) values[i] += 2 * scatter[i];
    // A fifth of the variance has a time of 199, the rest one of 1.
    EXPECT_GT(autocorrelation_time(values), 20);
}

TEST(AutocorrelationTime, IsOneWhereValuesAlternate) {
    Values values;
    for (int i = 0; i < 100; i++) values.push_back(i % 2);
    EXPECT_EQ(autocorrelation_time(values), 1);
}

TEST(AutocorrelationTime, IsTheNumberOfValuesWhereTheyRiseAllAlong) {
    for (const std::size_t n : {6, 7, 16, 17, 1000}) {
        Values values(n);
        std::iota(values.begin(), values.end(), 1);
        EXPECT_EQ(autocorrelation_time(values), n);
    }
}

TEST(AutocorrelationTime, IsOneWhereAllAreEqual) {
    EXPECT_EQ(autocorrelation_time(Values(100, 3.25)), 1);
    EXPECT_EQ(autocorrelation_time(Values{1}), 1);
    EXPECT_EQ(autocorrelation_time({}), 1);
}

TEST(AutocorrelationTime, DependsOnRanksAlone) {
    const Values values = values_of(0.9, 200, 1);
    Values others = values;
    for (double& value : others) value = std::exp(10 * value);
    EXPECT_EQ(autocorrelation_time(others), autocorrelation_time(values));
}

// As with a coarse clock.
TEST(AutocorrelationTime, EqualValuesAreNoSignOfIt) {
    Values values = values_of(0, 2000, 1);
    for (double& value : values) value = std::round(value);
    EXPECT_LT(autocorrelation_time(values), 3);
}

}  // namespace
