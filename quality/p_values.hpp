// Two-sided probabilities of a deviation at least as large, by Boost.Math.
#pragma once

namespace quality {

/// Of a standard normal variable: |z| or more, either way.
double p_of_normal(double z);

/// Of a chi-square variable with `dof` degrees of freedom, either way: twice the smaller tail. 1 where there are none.
double p_of_chi_square(double chi2, double dof);

}  // namespace quality
