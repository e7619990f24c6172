// How far is too far from an expectation.
#include "bench/estimands/chance/deviation.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bench/errors.hpp"

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Deviation, WhatIsNotANumberIsTooFar) {
    EXPECT_FALSE(bench::is_too_far({-5, 5}));
    EXPECT_TRUE(bench::is_too_far({-5.01, 5}));
    EXPECT_TRUE(bench::is_too_far({nan, 5}));
    EXPECT_TRUE(bench::is_too_far({0, nan}));
    EXPECT_THROW(bench::demand_near(bench::Deviation{nan, 5}, "a sum"), bench::VerdictError);
}

// 3, 4 and 5 are the sides of a triangle: both errors count.
TEST(Deviation, IsRelativeToTheErrorsOfBoth) {
    const bench::Deviation off = bench::deviation(110, 3, {100, 4});
    EXPECT_DOUBLE_EQ(off.sigma, 2);
    EXPECT_DOUBLE_EQ(off.limit, 5);
}

TEST(Deviation, MayGrowByWhatArithmeticIsOff) {
    EXPECT_DOUBLE_EQ(bench::deviation(110, 2, {100, 0, 4}).limit, 7);
    EXPECT_DOUBLE_EQ(bench::deviation(110, 2, {100, 0, 4}, 12).limit, 14);
}

TEST(Deviation, OfACertainOutcomeIsNoneOrTooFar) {
    EXPECT_FALSE(bench::is_too_far(bench::deviation(1, 0, {1})));
    EXPECT_TRUE(bench::is_too_far(bench::deviation(1.5, 0, {1})));
}

}  // namespace
