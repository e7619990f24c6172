// How many digits of an estimate mean something.
#include "bench/estimands/chance/digits.hpp"

#include <gtest/gtest.h>

namespace {

using bench::believed_decimals;

TEST(BelievedDecimals, AreThoseThatTheBoundLeavesRight) {
    EXPECT_EQ(believed_decimals(1.1e-6), 5);
    EXPECT_EQ(believed_decimals(4.9e-6), 5);
    EXPECT_EQ(believed_decimals(5.1e-6), 4);
    EXPECT_EQ(believed_decimals(0.06), 0);
    EXPECT_EQ(believed_decimals(0.04), 1);
}

TEST(BelievedDecimals, HalfAUnitOfTheLastIsEnough) {
    EXPECT_EQ(believed_decimals(0.5), 0);
    EXPECT_EQ(believed_decimals(0.05), 1);
    EXPECT_EQ(believed_decimals(0.005), 2);
    EXPECT_EQ(believed_decimals(5e-4), 3);
    EXPECT_EQ(believed_decimals(5e-5), 4);
    EXPECT_EQ(believed_decimals(5e-6), 5);
    EXPECT_EQ(believed_decimals(5e-7), 6);
    EXPECT_EQ(believed_decimals(5e-8), 7);
    EXPECT_EQ(believed_decimals(5e-9), 8);
}

TEST(BelievedDecimals, AreNoneBeyondHalfAUnit) {
    EXPECT_EQ(believed_decimals(0.50001), std::nullopt);
    EXPECT_EQ(believed_decimals(0.85840734641020676), std::nullopt);
}

TEST(BelievedDecimals, AreNoMoreThanADoubleHas) {
    EXPECT_EQ(believed_decimals(0), 15);
    EXPECT_EQ(believed_decimals(1e-18), 15);
}

TEST(DecimalsTo, ReachTheFirstDigit) {
    EXPECT_EQ(bench::decimals_to(2.0), 0);
    EXPECT_EQ(bench::decimals_to(0.9), 1);
    EXPECT_EQ(bench::decimals_to(0.11), 1);
    EXPECT_EQ(bench::decimals_to(0.09), 2);
    EXPECT_EQ(bench::decimals_to(3.3e-10), 10);
    EXPECT_EQ(bench::decimals_to(1e-18), 15);
    EXPECT_EQ(bench::decimals_to(0), 0) << "of a certain outcome";
}

}  // namespace
