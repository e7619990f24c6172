#include "bench/estimands/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bench {
namespace {

/// long double has 64 bits of precision or more on x86 and Arm: 4 P - pi loses half the digits of a double.
long double probability(const Expectation& expected) {
    return expected.count / static_cast<long double>(expected.total);
}

}  // namespace

double estimate(const Outcome& outcome) {
    return 4.0 * static_cast<double>(outcome.hits) / static_cast<double>(outcome.samples);
}

double estimate_sd(const Outcome& outcome, const Expectation& expected, double variance_ratio) {
    const long double p = probability(expected);
    return static_cast<double>(4 * std::sqrt(p * (1 - p) * variance_ratio / outcome.samples));
}

double bias(const Expectation& expected) {
    return static_cast<double>(4 * probability(expected) - std::numbers::pi_v<long double>);
}

double error_bound(const Outcome& outcome, const Expectation& expected, double variance_ratio) {
    return std::abs(bias(expected)) + 2 * estimate_sd(outcome, expected, variance_ratio);
}

int decimals_to(double sd) {
    return sd > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(sd))), 0, std::numeric_limits<double>::digits10)
                  : 0;
}

std::optional<int> believed_decimals(double bound) {
    std::optional<int> believed;
    double unit = 1;  // 10^decimals, exact
    for (int decimals = 0; decimals <= std::numeric_limits<double>::digits10 && bound <= 0.5 / unit; decimals++) {
        believed = decimals;
        unit *= 10;
    }
    return believed;
}

}  // namespace bench
