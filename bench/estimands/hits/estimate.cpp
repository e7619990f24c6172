#include "bench/estimands/hits/estimate.hpp"

#include <cmath>
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

}  // namespace bench
