// The limits beyond which chance explains nothing. All have one false-alarm rate: that of five standard deviations.
#pragma once

#include <cstdint>

namespace bench {

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

}  // namespace bench
