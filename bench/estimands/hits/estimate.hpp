// The estimate of pi and its error.
#pragma once

#include "bench/estimands/hits/source.hpp"
#include "bench/estimands/hits/verdict.hpp"

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

}  // namespace bench
