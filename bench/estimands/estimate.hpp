// The estimate of pi and its error.
#pragma once

#include <optional>

#include "bench/estimands/source.hpp"
#include "bench/estimands/verdict.hpp"

namespace bench {

/// The estimate of pi: 4 hits / samples.
double estimate(const Outcome& outcome);

/// Standard deviation of the estimate from N = outcome.samples independent samples, each a hit with the expected
/// probability P: 4 sqrt(P (1 - P) / N), from the binomial variance N P (1 - P). For dependent samples, that variance
/// is multiplied by `variance_ratio`. 0 if the outcome is certain.
double estimate_sd(const Outcome& outcome, const Expectation& expected, double variance_ratio = 1);

/// Systematic error of the estimate, from coordinates and generator: 4 P - pi. More samples do not reduce it.
double bias(const Expectation& expected);

/// How far the estimate may lie from pi: |bias| plus two standard deviations.
double error_bound(const Outcome& outcome, const Expectation& expected, double variance_ratio = 1);

/// Decimals up to the first digit of a standard deviation, at most those of a double; 0 if it is 0.
int decimals_to(double sd);

/// The largest d, up to 15, for which `bound` is at most 0.5 * 10^-d: an estimate with an error of at most `bound`,
/// rounded to d decimals, is right to +-1 in its last digit. Empty if `bound` exceeds 0.5.
std::optional<int> believed_decimals(double bound);

}  // namespace bench
