// The known distribution of hits, and the limits beyond which chance cannot explain a count.
#pragma once

#include <cstdint>
#include <span>

#include "bench/estimands/source.hpp"

namespace bench {

/// The outcome of a run or of a launch.
struct Outcome {
    std::uint64_t hits = 0;
    std::uint64_t samples = 0;
};

/// Maximum relative difference of a variance from the known one, beyond what chance explains. Generators that pass all
/// other tests are off by 2 % in streams of some hundred samples. The 32-bit LCGs, which are demonstrations, are off by
/// some 5 % in streams of a million samples, and by 100 % in streams of their whole cycle.
inline constexpr double variance_tolerance = 0.05;
inline constexpr double demonstration_tolerance = 0.25;

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

/// Sum of the counts of one launch of `samples` samples. Throws VerdictError if a count is unwritten, or if a count or
/// the sum exceeds its number of samples or max_count_sigma. If the samples can be divided equally among the counts,
/// each count stands for an equal part.
std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples, const Law& law);

}  // namespace bench
