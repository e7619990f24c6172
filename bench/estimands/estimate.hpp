// The estimate of pi, and how far it can be believed.
#pragma once

#include <optional>

#include "bench/estimands/source.hpp"
#include "bench/estimands/verdict.hpp"

namespace bench {

/// The estimate of pi: 4 hits / samples.
double estimate(const Outcome& outcome);

/// Standard deviation of the estimate of `outcome.samples` independent samples N, each a hit with the expected
/// probability P: 4 sqrt(P (1 - P) / N), from the variance N P (1 - P) of the binomial distribution; of samples that are
/// not independent, with that variance times `variance_ratio`. 0 where the outcome is certain.
double estimate_sd(const Outcome& outcome, const Expectation& expected, double variance_ratio = 1);

/// What the estimate is off by however many samples there are, of the coordinates and the generator: 4 P - pi.
double bias(const Expectation& expected);

/// How far the estimate may lie from pi: |bias| and two standard deviations.
double error_bound(const Outcome& outcome, const Expectation& expected, double variance_ratio = 1);

/// Decimals that reach the first digit of a standard deviation, at most those of a double; none where it is 0.
int decimals_to(double sd);

/// Most decimals d, up to 15, for which `bound` is at most 0.5 * 10^-d: an estimate that is off by at most `bound`, rounded
/// to d decimals, is right to +-1 in its last digit. Nothing where not even the whole number is.
std::optional<int> believed_decimals(double bound);

}  // namespace bench
