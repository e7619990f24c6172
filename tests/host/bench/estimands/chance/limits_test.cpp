// The limits of chance.
#include "bench/estimands/chance/limits.hpp"

#include <gtest/gtest.h>

namespace {

// Fisher and Yates, "Statistical Tables", table III.
TEST(StudentTQuantile, IsThatOfTheTables) {
    EXPECT_NEAR(bench::student_t_quantile(0.05, 1), 12.706, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.05, 15), 2.131, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.01, 10), 3.169, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.001, 30), 3.646, 5e-4);
    EXPECT_NEAR(bench::student_t_quantile(0.05, 1e12), 1.960, 5e-4);
}

// Student's t for a two-sided probability of 5.733e-7: Abramowitz and Stegun, "Handbook of Mathematical Functions",
// 26.7.3, solved in Python by bisection.
TEST(SigmaLimit, IsPassedAsRarelyAsFiveSigma) {
    EXPECT_NEAR(bench::sigma_limit(15), 8.267096, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(31), 6.268236, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(131), 5.259150, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(1001), 5.032652, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(1e9), 5, 1e-6);
    EXPECT_NEAR(bench::sigma_limit(1e15), 5, 1e-6);
}

// Normal quantiles of the tail of 5 standard deviations, shared, from scipy.
TEST(SharedLimit, GrowsWithTheNumbersThatShareIt) {
    EXPECT_NEAR(bench::shared_sigma_limit(1), 5, 1e-9);
    EXPECT_NEAR(bench::shared_sigma_limit(64), 5.75, 0.005);
    EXPECT_NEAR(bench::shared_sigma_limit(900), 6.18, 0.005);
    EXPECT_NEAR(bench::shared_sigma_limit(25'568), 6.69, 0.005);
    EXPECT_NEAR(bench::shared_sigma_limit(1'000'000), 7.21, 0.005);
}

}  // namespace
