// The verdict on a run: does chance explain its hits?
#pragma once

#include <limits>
#include <optional>

#include "bench/estimands/chance/spread.hpp"
#include "bench/estimands/hits/hits.hpp"
#include "bench/estimands/hits/law.hpp"

namespace bench {

/// The variance of the hits.
struct Uncertainty {
    double variance_ratio = 1;                                            // over the binomial variance
    double degrees_of_freedom = std::numeric_limits<double>::infinity();  // of that ratio; infinite if it is known
};

/// The uncertainty of a run's hits. It is known, except for point sets: their launches give it by their spread. Empty
/// with fewer than least_units of those.
std::optional<Uncertainty> uncertainty(const Law& law, const std::optional<Spread>& spread);

/// Throws VerdictError unless hits <= samples, samples > 0 and |sigma| <= sigma_limit. NaN fails.
void judge(const Outcome& outcome, const Expectation& expected, const Uncertainty& uncertainty = {});

/// Throws VerdictError if a measured variance differs from the known one by more than chance and the law's tolerance
/// allow. Does not judge fewer than least_units units, or units too small for the chi-squared
/// distribution. For point sets only the upper limit applies.
void judge_spread(const Spread& spread, const Law& law, std::uint64_t samples_of_unit);

/// The verdict on a run, or on its launches so far. Throws VerdictError.
void judge(const CountedHits& counted);

}  // namespace bench
