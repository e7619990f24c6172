#include "quality/p_values.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace quality {

double p_of_normal(double z) {
    return 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), std::abs(z)));
}

double p_of_chi_square(double chi2, double dof) {
    if (dof == 0) {
        return 1;
    }
    const boost::math::chi_squared distribution(dof);
    const double below = boost::math::cdf(distribution, chi2);
    const double above = boost::math::cdf(boost::math::complement(distribution, chi2));
    return std::min(1.0, 2 * std::min(below, above));
}

}  // namespace quality
