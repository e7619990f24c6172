// Hits of many streams against the binomial distribution that independent samples would give them.
#pragma once

#include <cstdint>
#include <span>

namespace quality {

/// What the hits of `streams` streams of `iters` samples say. Probabilities are of a deviation at least as large.
struct Dispersion {
    std::uint64_t streams;
    unsigned iters;
    double mean_z;          // distance of the total from its expectation, in sd
    double variance_ratio;  // about the exact mean, over the binomial variance
    double variance_sd;     // of variance_ratio
    double chi2;            // of the histogram of hits, cells of at least 10 expected streams
    unsigned dof;
    double neighbour_correlation;  // of streams t and t + 1
    double p_mean;
    double p_variance;
    double p_histogram;
    double p_neighbours;
};

/// Compares hits per stream with the binomial distribution of `iters` samples of probability `p` each. The variance of
/// variance_ratio follows from the binomial's excess kurtosis, (1 - 6pq) / (npq) (Johnson, Kemp, Kotz, "Univariate
/// Discrete Distributions", section 3.2). `hits` are those of two streams or more.
Dispersion dispersion(std::span<const std::uint32_t> hits, unsigned iters, double p);

}  // namespace quality
