// What chance makes of hits, as far as it is known before a launch, and what no chance makes of them.
#pragma once

#include <cstdint>
#include <span>

#include "bench/estimands/source.hpp"

namespace bench {

/// The pooled outcome of a run.
struct Outcome {
    std::uint64_t hits = 0;
    std::uint64_t samples = 0;
};

/// Farthest that a variance may lie from the known one beyond what chance explains: generators that are sound in all else are
/// off by 2 % in streams of some hundred samples. The 32-bit LCGs, which are demonstrations, are off by some 5 % in streams of
/// a million, and by all of it in streams of their whole cycle.
inline constexpr double variance_tolerance = 0.05;
inline constexpr double demonstration_tolerance = 0.25;

/// What is known of a step's hits.
struct Law {
    Expectation expected;
    Independent independent = Independent::samples;
    double variance_ratio = 1;  // variance of a count, relative to the binomial's; of point sets, an upper bound
    double tolerance = variance_tolerance;
};

/// Farthest that one published count may lie from its expectation, in standard deviations. By chance 3 of 10^18
/// counts at most are farther off, however few samples they stand for.
inline constexpr double max_count_sigma = 10;

/// The probability of a hit.
double hit_probability(const Expectation& expected);

/// The binomial variance of the hits of so many samples.
double binomial_variance(const Expectation& expected, std::uint64_t samples);

/// Distance of the hits from `samples` times the expected probability, in standard deviations (signed): of the binomial
/// distribution, or with its variance times `variance_ratio`.
double sigma(const Outcome& outcome, const Expectation& expected, double variance_ratio = 1);

/// Sum of the counts that one launch of `samples` samples published. Throws VerdictError if a count was left unwritten, or
/// if a count or their sum passes its samples or is farther from its expectation than max_count_sigma.
/// Counts stand for equally many samples each where these can be divided so.
std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples, const Law& law);

}  // namespace bench
