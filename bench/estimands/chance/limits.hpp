// Counts, their variance, and the limits beyond which chance explains nothing. All have one false-alarm rate: that of five standard deviations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/estimands/chance/expected.hpp"
#include "bench/step.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {

/// Sums of whole numbers and of their squares, and the extremes. They are exact, so the order of addition does not
/// matter.
struct CountSums {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;  // at most 2^63, as the caller ensures; the sum of squares is then at most 2^126
    Uint128 sum_of_squares = 0;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;

    /// Unbiased variance of the numbers, in their unit squared; empty with fewer than two.
    std::optional<double> variance() const;

    /// Whether whole numbers can have these sums: n Q >= S^2 (Cauchy-Schwarz), and Q <= S^2 because none is negative.
    bool are_possible() const;

    bool operator==(const CountSums&) const = default;
};

/// Maximum distance from an expectation, in known standard deviations.
inline constexpr double max_sigma = 5;

/// Maximum distance in standard deviations: max_sigma if the standard deviation is known (infinite degrees of freedom); if it
/// was measured, the quantile of Student's t distribution with the false-alarm rate of max_sigma.
double sigma_limit(double degrees_of_freedom);

/// Maximum size of each of `n` standard normal numbers: that one of them exceeds it has at most the false-alarm rate of
/// max_sigma (Bonferroni).
double shared_sigma_limit(std::uint64_t n);

/// Limits of a measured variance over the known one.
struct Limits {
    double low, high;
};

/// Quantiles of the chi-squared distribution over its mean, with the false-alarm rate of max_sigma on both sides together,
/// or that rate shared among `n` such numbers. NaN gives NaN.
Limits chi_squared_limits(double degrees_of_freedom, double n = 1);

/// Whether one of `n` numbers is farther from their mean than chance explains, given its distance and the variance of
/// all: the limit is a quantile of Student's t of its distance from the others (the externally studentized residual; Cook
/// and Weisberg, "Residuals and Influence in Regression", section 2.2.2). One of all n exceeds it with the false-alarm rate
/// of max_sigma.
bool is_outlier(double distance, double n, double variance);

/// Probability that a normal variable is farther than max_sigma from its mean, on either side: the false-alarm rate.
double false_alarm_rate();

/// The t that |t| of Student's distribution exceeds with probability `two_sided_tail`. Throws std::domain_error unless
/// 0 < two_sided_tail < 1 and degrees_of_freedom > 0.
double student_t_quantile(double two_sided_tail, double degrees_of_freedom);

// Of a number.

/// A distance from the expectation in standard deviations, and the largest that chance explains.
struct Deviation {
    double sigma;
    double limit;
};

/// The deviation of a number that was measured with this standard deviation. The errors of both count, and the limit grows
/// by what arithmetic may be off.
Deviation deviation(double value, double sd, const Expected& expected, double limit = max_sigma);

/// Whether chance does not explain it. NaN is too far.
bool is_too_far(const Deviation& deviation);

/// Throws VerdictError if a deviation is too far; `what` begins its line.
void demand_near(const std::optional<Deviation>& deviation, const std::string& what);

// Of a variance that was measured over the independent units of a run: blocks or launches.

/// Minimum number of units for an error estimate from their spread.
inline constexpr std::uint64_t least_units = 16;

/// The units in a result: `samples`, what independent ones are called, "blocks" or "launches".
const char* text_of(Independent independent, const char* samples);

/// Minimum number of launches for a verdict: least_units if only their spread gives the error, otherwise 1.
std::uint64_t least_launches(Independent independent);

/// Maximum relative difference of a variance from the known one, beyond what chance explains. Generators that pass all
/// other tests are off by 2 % in streams of some hundred samples. The 32-bit LCGs, which are demonstrations, are off by
/// some 5 % in streams of a million samples, and by 100 % in streams of their whole cycle.
inline constexpr double variance_tolerance = 0.05;
inline constexpr double demonstration_tolerance = 0.25;
double variance_tolerance_of(Soundness soundness);

/// A measured variance over the known one, its standard deviation, and the limits of chance.
struct Spread {
    double ratio;
    double sd;
    Limits limits;
    std::uint64_t units = 0;  // over which it was measured
    const char* over = "";    // what they are: "blocks"
};

/// The spread of so many independent, nearly normal units, at least two.
Spread spread_of_units(double ratio, std::uint64_t units, const char* over);

/// Throws VerdictError unless the ratio is within its limits, widened by this share. NaN is not. `what` begins its line. Without
/// a lower limit, the units may be less spread than independent ones.
void demand_within(const std::optional<Spread>& spread, double tolerance, const std::string& what,
                   bool has_lower_limit = true);

}  // namespace bench
