// Compares the hits of many streams with the binomial distribution of independent samples.
#pragma once

#include <cstdint>
#include <span>

namespace quality {

/// Statistics of the hits of `streams` streams of `iters` samples each. p_*: probability of a deviation at least as large.
struct Dispersion {
    std::uint64_t streams;
    unsigned iters;
    double mean_z;          // distance of the total from its expectation, in sd
    double variance_ratio;  // variance around the exact mean / binomial variance
    double variance_sd;     // of variance_ratio
    double chi2;            // of the histogram of hits; each cell expects at least 10 streams
    unsigned dof;
    double neighbour_correlation;  // between streams t and t + 1
    double p_mean;
    double p_variance;
    double p_histogram;
    double p_neighbours;
};

/// Compares hits per stream with the binomial distribution of `iters` samples of probability `p` each. The variance of
/// variance_ratio follows from the binomial's excess kurtosis, (1 - 6pq) / (npq) (Johnson, Kemp, Kotz, "Univariate
/// Discrete Distributions", section 3.2). Needs two streams or more.
Dispersion dispersion(std::span<const std::uint32_t> hits, unsigned iters, double p);

}  // namespace quality
