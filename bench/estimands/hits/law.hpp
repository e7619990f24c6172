// The known distribution of hits, the limits beyond which chance cannot explain a count, and the estimate of pi with its error.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/hits/source.hpp"

namespace bench {

/// The outcome of a run or of a launch.
struct Outcome {
    std::uint64_t hits = 0;
    std::uint64_t samples = 0;
};

/// The known distribution of a step's hits.
struct Law {
    Expectation expected;
    Independent independent = Independent::samples;
    double variance_ratio = 1;  // variance of a count over the binomial variance; for point sets, an upper bound
    double tolerance = variance_tolerance;
};

/// Maximum distance of a published count from its expectation, in standard deviations. By chance at most 3 of 10^18
/// counts exceed it, whatever the number of their samples.
inline constexpr double max_count_sigma = 10;

/// The probability of a hit.
double hit_probability(const Expectation& expected);

/// The binomial variance of the hits of `samples` samples.
double binomial_variance(const Expectation& expected, std::uint64_t samples);

/// The probability that two independent counts of so many samples are equal: of two normal variables of standard
/// deviation s, rounded, it is 1 / (2 s sqrt(pi)).
double chance_of_same_count(const Law& law, std::uint64_t samples);

/// Signed distance of the hits from their expectation, in standard deviations of the binomial distribution, with its
/// variance multiplied by `variance_ratio`.
double sigma(const Outcome& outcome, const Expectation& expected, double variance_ratio = 1);

/// The independent units of a launch with so many published counts: the counts, which are those of blocks, if they are
/// independent and stand for equally many samples, more than one; otherwise 1, the launch. A count of one sample is 0 or 1: the
/// spread of such counts follows from their mean and tells nothing.
std::uint64_t units_per_launch(Independent independent, std::uint64_t samples, std::uint64_t counts);

/// The sample variance of the hits of units over the binomial variance N P (1 - P), for units of N = `samples` samples that
/// hit with probability P. Its standard deviation is sqrt(2 / (units - 1)) times the ratio, as for the chi-squared
/// distribution, if the hits are nearly normal. Empty with fewer than two units, or if the outcome is certain.
std::optional<Spread> spread_of(const CountSums& unit_hits, const char* units, std::uint64_t samples,
                                const Expectation& expected);

/// Sum of the counts of one launch of `samples` samples. Throws VerdictError if a count is unwritten, or if a count or
/// the sum exceeds its number of samples or max_count_sigma. If the samples can be divided equally among the counts,
/// each count stands for an equal part.
std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples, const Law& law);

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
