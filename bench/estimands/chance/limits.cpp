#include "bench/estimands/chance/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numbers>

#include "bench/errors.hpp"

namespace bench {

// (n Q - S^2) / (n (n - 1)); n Q alone may take 190 bits.
std::optional<double> CountSums::variance() const {
    if (count < 2) {
        return std::nullopt;
    }
    using Wide = boost::multiprecision::uint256_t;
    const Wide numerator = Wide(count) * sum_of_squares - Wide(sum) * sum;
    const Wide denominator = Wide(count) * (count - 1);
    return static_cast<double>(numerator.convert_to<long double>() / denominator.convert_to<long double>());
}

bool CountSums::are_possible() const {
    if (count == 0) {
        return sum == 0 && sum_of_squares == 0;
    }
    const Uint128 of_sum = Uint128{sum} * sum;
    const Uint128 least_squares = of_sum / count + (of_sum % count != 0);
    return least_squares <= sum_of_squares && sum_of_squares <= of_sum;
}

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

Deviation deviation(double value, double sd, const Expected& expected, double limit) {
    const double both = std::hypot(sd, expected.sd);
    const double off = value - expected.value;
    const double systematic = expected.within == 0 ? 0 : expected.within / both;
    return {off == 0 ? 0 : off / both, limit + systematic};  // a certain outcome has no spread
}

bool is_too_far(const Deviation& deviation) { return !(std::abs(deviation.sigma) <= deviation.limit); }

void demand_near(const std::optional<Deviation>& deviation, const std::string& what) {
    if (deviation && is_too_far(*deviation)) {
        throw VerdictError(fmt::format("{} is {:+.1f} sd from the expectation, more than {:.3g} sd", what,
                                       deviation->sigma, deviation->limit));
    }
}

const char* text_of(Independent independent, const char* samples) {
    switch (independent) {
        case Independent::samples:
            return samples;
        case Independent::counts:
            return "blocks";
        case Independent::launches:
            break;
    }
    return "launches";
}

std::uint64_t least_launches(Independent independent) { return independent == Independent::launches ? least_units : 1; }

double variance_tolerance_of(Soundness soundness) {
    return soundness == Soundness::demonstration ? demonstration_tolerance : variance_tolerance;
}

Spread spread_of_units(double ratio, std::uint64_t units, const char* over) {
    const auto degrees_of_freedom = static_cast<double>(units - 1);
    return {ratio, std::sqrt(2 / degrees_of_freedom), chi_squared_limits(degrees_of_freedom), units, over};
}

void demand_within(const std::optional<Spread>& spread, double tolerance, const std::string& what,
                   bool has_lower_limit) {
    if (!spread) {
        return;
    }
    const double low = has_lower_limit ? (1 - tolerance) * spread->limits.low : 0;
    const double high = (1 + tolerance) * spread->limits.high;
    if (!(low <= spread->ratio && spread->ratio <= high)) {
        throw VerdictError(
            fmt::format("{} is {:.4g} times the exact one, outside {:.4g} to {:.4g}", what, spread->ratio, low, high));
    }
}

}  // namespace bench
