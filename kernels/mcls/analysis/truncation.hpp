// What a limit of transitions leaves out of the mean of histories. Host only, in double.
#pragma once

#include <vector>

#include "kernels/mcls/system/splitting.hpp"

namespace mcls {

/// The solution less the mean of histories that end after some number of transitions.
struct LeftOut {
    double residual;        // of the mean, over the norm of b
    std::vector<double> x;  // of each entry; empty if the residual is no more than rounding
    double halved_by;       // so many transitions more halve it; infinite if they do not
};

/// `mean`: b + H b + ... + H^steps b. What is left out solves x = H x + r, with the residual r of the mean; it is as good as
/// Resolvent, which needs a spectral radius of |H| below 1. A residual below 1e-12 is taken for rounding.
LeftOut left_out(const Splitting& splitting, const std::vector<double>& mean);

/// b - (I - H) x.
std::vector<double> residual_of(const Splitting& splitting, const std::vector<double>& x);

}  // namespace mcls
