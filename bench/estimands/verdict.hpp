// The verdict on a run: does chance explain its hits?
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "bench/estimands/hits.hpp"
#include "bench/estimands/law.hpp"
#include "bench/estimands/spread.hpp"

namespace bench {

/// Maximum distance of the hits from their expectation, in known standard deviations.
inline constexpr double max_sigma = 5;

/// The variance of the hits.
struct Uncertainty {
    double variance_ratio = 1;                                            // over the binomial variance
    double degrees_of_freedom = std::numeric_limits<double>::infinity();  // of that ratio; infinite if it is known
};

/// The uncertainty of a run's hits. It is known, except for point sets: their launches give it by their spread. Empty
/// with fewer than least_units of those.
std::optional<Uncertainty> uncertainty(const Law& law, const std::optional<Spread>& spread);

/// Maximum distance of the hits from their expectation, in standard deviations: max_sigma if the standard deviation is
/// known; if it was measured, the quantile of Student's t distribution with the false-alarm rate of max_sigma.
double sigma_limit(double degrees_of_freedom);

/// Maximum size of each of `n` standard normal numbers: that one of them exceeds it has at most the false-alarm rate of
/// max_sigma (Bonferroni).
double shared_sigma_limit(std::uint64_t n);

/// Throws VerdictError unless hits <= samples, samples > 0 and |sigma| <= sigma_limit. NaN fails.
void judge(const Outcome& outcome, const Expectation& expected, const Uncertainty& uncertainty = {});

/// Limits of a measured variance over the known one.
struct VarianceLimits {
    double low, high;
};

/// Quantiles of the chi-squared distribution over its mean, with the false-alarm rate of max_sigma on both sides together,
/// or that rate shared among `n` such numbers. NaN gives NaN.
VarianceLimits chi_squared_limits(double degrees_of_freedom, double n = 1);

/// The limits for this many independent, nearly normal units.
VarianceLimits variance_limits(std::uint64_t units);

/// Whether one of `n` numbers is farther from their mean than chance explains, given its distance and the variance of
/// all: the limit is a quantile of Student's t of its distance from the others (the externally studentized residual; Cook
/// and Weisberg, "Residuals and Influence in Regression", section 2.2.2). One of all n exceeds it with the false-alarm rate
/// of max_sigma.
bool is_outlier(double distance, double n, double variance);

/// Throws VerdictError if a measured variance differs from the known one by more than chance and the law's tolerance
/// allow (variance_limits). Does not judge fewer than least_units units, or units too small for the chi-squared
/// distribution. For point sets only the upper limit applies.
void judge_spread(const Spread& spread, const Law& law, std::uint64_t samples_of_unit);

/// Throws VerdictError if the count of one launch is an outlier among those of all (is_outlier). Does not judge fewer than
/// least_units launches. `counted`: plural.
void judge_extremes(const CountSums& of_launches, const char* counted);

/// Throws VerdictError if more launches published the same counts than chance explains: a launch was counted twice, or
/// did not draw its own random numbers. Does not judge if equal counts are likely by chance.
void judge_repeats(const CountedHits& counted);

/// Throws VerdictError if two parts of the launches, blocks, published the same in all of at least eight launches, where
/// chance makes that rarer than 1e-12: they draw the same random numbers.
void judge_parts(const Tally& tally);

/// The verdict on a run, or on its launches so far: all of the above. Throws VerdictError.
void judge(const CountedHits& counted);

}  // namespace bench
