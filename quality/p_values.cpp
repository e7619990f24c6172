#include "quality/p_values.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace quality {
namespace {

// Far out in a tail, as for chi-square 0, an intermediate value overflows. The probability is then 0, so this is no error.
using Quiet = boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;

}  // namespace

double p_of_normal(double z) {
    return 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), std::abs(z)));
}

double p_of_chi_square(double chi2, double dof) {
    if (dof == 0) {
        return 1;
    }
    const boost::math::chi_squared_distribution<double, Quiet> distribution(dof);
    const double below = boost::math::cdf(distribution, chi2);
    const double above = boost::math::cdf(boost::math::complement(distribution, chi2));
    return std::min(1.0, 2 * std::min(below, above));
}

}  // namespace quality
