// Two-sided p-values: the probability of a deviation at least as large. Computed with Boost.Math.
#pragma once

namespace quality {

/// The p-value of a standard normal variable z.
double p_of_normal(double z);

/// The p-value of a chi-square variable with `dof` degrees of freedom: twice the smaller tail; 1 if dof is 0.
double p_of_chi_square(double chi2, double dof);

}  // namespace quality
