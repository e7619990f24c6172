// When is a hit count worth a number? What "hit" means belongs to this ladder; measurement knows nothing of it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "bench/contract.hpp"
#include "bench/spread.hpp"

namespace bench {

/// The pooled outcome of a run.
struct Outcome {
    std::uint64_t hits = 0;
    std::uint64_t samples = 0;
};

/// Farthest that the hits may lie from their expectation, in standard deviations that are known.
inline constexpr double max_sigma = 5;

/// What chance makes of the hits.
struct Uncertainty {
    double variance_ratio = 1;                                            // relative to the binomial's variance
    double degrees_of_freedom = std::numeric_limits<double>::infinity();  // of that ratio; infinite where it is known
};

/// The uncertainty of a run's hits: that of the binomial distribution where its samples are independent, otherwise as its
/// spread shows; nothing where that is of fewer than least_units units.
std::optional<Uncertainty> uncertainty(Independent independent, const std::optional<Spread>& spread);

/// Farthest that the hits may lie from their expectation, in standard deviations: max_sigma where the standard deviation is
/// known; where it was measured, the quantile of Student's t distribution that is passed as rarely.
double sigma_limit(double degrees_of_freedom);

/// Sum of the counts that one launch published. Throws VerdictError if a count was left unwritten, or if there are more
/// hits than `samples`.
std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples);

/// Distance of the hits from `samples` times the expected probability, in standard deviations (signed): of the binomial
/// distribution, or with its variance times `variance_ratio`.
double sigma(const Outcome& outcome, const Expectation& expected, double variance_ratio = 1);

/// Throws VerdictError unless hits <= samples, samples > 0 and |sigma| <= sigma_limit; NaN never passes.
void judge(const Outcome& outcome, const Expectation& expected, const Uncertainty& uncertainty = {});

/// The coarse verdict on an outcome whose uncertainty cannot be told. Of point sets, whose launches are all that is
/// independent, the binomial distribution is generous; of samples that depend on each other inside a block it is no bound
/// at all, and only what cannot be is refused. Throws VerdictError.
void judge_coarsely(const Outcome& outcome, const Expectation& expected, Independent independent);

}  // namespace bench
