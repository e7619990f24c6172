// Probabilities are those of the tables, both tails counted.
#include "quality/p_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using quality::p_of_chi_square;
using quality::p_of_normal;

struct TableValue {
    double dof, chi2, tail;  // the smaller of the two tails
};

// Abramowitz and Stegun, "Handbook of Mathematical Functions", table 26.5: z for given tails.
TEST(PValues, OfNormalDeviations) {
    EXPECT_EQ(p_of_normal(0), 1);
    for (const double sign : {1, -1}) {
        EXPECT_NEAR(p_of_normal(sign * 1), 0.31731051, 1e-8);
        EXPECT_NEAR(p_of_normal(sign * 1.9599640), 0.05, 1e-8);
        EXPECT_NEAR(p_of_normal(sign * 2.5758293), 0.01, 1e-8);
        EXPECT_NEAR(p_of_normal(sign * 3.2905267), 0.001, 1e-9);
        EXPECT_NEAR(p_of_normal(sign * 4.8916385), 1e-6, 1e-12);
    }
}

TEST(PValues, OfNormalDeviationsFarOutAreNotZero) {
    // Twice the tail: erfc has it too.
    EXPECT_NEAR(p_of_normal(20) / std::erfc(20 / std::sqrt(2.0)), 1, 1e-9);
    EXPECT_GT(p_of_normal(-20), 0);
}

// The same, table 26.8.
TEST(PValues, OfChiSquareAreTwiceTheSmallerTail) {
    for (const TableValue& v : std::vector<TableValue>{{1, 3.84146, 0.05},
                                                       {1, 0.00393, 0.05},
                                                       {5, 15.0863, 0.01},
                                                       {10, 18.3070, 0.05},
                                                       {10, 3.94030, 0.05},
                                                       {10, 23.2093, 0.01},
                                                       {10, 2.55821, 0.01},
                                                       {30, 43.7729, 0.05},
                                                       {30, 18.4926, 0.05},
                                                       {100, 124.342, 0.05},
                                                       {100, 77.9295, 0.05},
                                                       {100, 149.449, 0.001}}) {
        EXPECT_NEAR(p_of_chi_square(v.chi2, v.dof) / (2 * v.tail), 1, 1e-3) << v.dof << " dof, chi2 " << v.chi2;
    }
}

TEST(PValues, OfChiSquareWith2DegreesOfFreedomAreExponential) {
    for (const double chi2 : {0.001, 0.5, 2.0, 10.0, 100.0}) {
        const double above = std::exp(-chi2 / 2), below = -std::expm1(-chi2 / 2);
        EXPECT_NEAR(p_of_chi_square(chi2, 2) / (2 * std::fmin(above, below)), 1, 1e-12) << chi2;
    }
}

TEST(PValues, OfChiSquareWithoutDegreesOfFreedomIsOne) { EXPECT_EQ(p_of_chi_square(0, 0), 1); }

}  // namespace
