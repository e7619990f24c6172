#include "bench/estimands/chance/limits.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

namespace bench {

double false_alarm_rate() { return std::erfc(max_sigma / std::numbers::sqrt2); }

double student_t_quantile(double two_sided_tail, double degrees_of_freedom) {
    const boost::math::students_t distribution(degrees_of_freedom);
    return boost::math::quantile(boost::math::complement(distribution, two_sided_tail / 2));
}

double sigma_limit(double degrees_of_freedom) {
    return std::isinf(degrees_of_freedom) ? max_sigma : student_t_quantile(false_alarm_rate(), degrees_of_freedom);
}

double shared_sigma_limit(std::uint64_t n) {
    return quantile(complement(boost::math::normal_distribution<>(), false_alarm_rate() / 2 / static_cast<double>(n)));
}

Limits chi_squared_limits(double degrees_of_freedom, double n) {
    if (std::isnan(degrees_of_freedom)) {
        return {degrees_of_freedom, degrees_of_freedom};
    }
    // Chance changes a variance with so many degrees of freedom by 2 in 10,000. Boost finds no quantile for 10^11.
    constexpr double most_degrees = 1e9;
    const boost::math::chi_squared_distribution<> chi2(std::min(degrees_of_freedom, most_degrees));
    const double tail = false_alarm_rate() / 2 / n;
    return {quantile(chi2, tail) / chi2.degrees_of_freedom(),
            quantile(complement(chi2, tail)) / chi2.degrees_of_freedom()};
}

bool is_outlier(double distance, double n, double variance) {
    const double limit = student_t_quantile(false_alarm_rate() / n, n - 2);
    const double squared = distance * distance * n / (n - 1);
    const double others = ((n - 1) * variance - squared) / (n - 2);  // variance of the others
    return distance != 0 && !(squared <= limit * limit * others);
}

}  // namespace bench
