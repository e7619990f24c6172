// When is a run worth a number?
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "bench/estimands/hits.hpp"
#include "bench/estimands/law.hpp"
#include "bench/estimands/spread.hpp"

namespace bench {

/// Farthest that the hits may lie from their expectation, in standard deviations that are known.
inline constexpr double max_sigma = 5;

/// What chance makes of the hits.
struct Uncertainty {
    double variance_ratio = 1;                                            // relative to the binomial's variance
    double degrees_of_freedom = std::numeric_limits<double>::infinity();  // of that ratio; infinite where it is known
};

/// The uncertainty of a run's hits: known, but for point sets, whose launches tell it by their spread; nothing where those
/// are fewer than least_units.
std::optional<Uncertainty> uncertainty(const Law& law, const std::optional<Spread>& spread);

/// Farthest that the hits may lie from their expectation, in standard deviations: max_sigma where the standard deviation is
/// known; where it was measured, the quantile of Student's t distribution that is passed as rarely.
double sigma_limit(double degrees_of_freedom);

/// Throws VerdictError unless hits <= samples, samples > 0 and |sigma| <= sigma_limit; NaN never passes.
void judge(const Outcome& outcome, const Expectation& expected, const Uncertainty& uncertainty = {});

/// Throws VerdictError unless a measured variance is, but for the law's tolerance, as near to the known one as chance leaves
/// it: the quantiles of the chi-squared distribution that are passed as rarely as max_sigma. Spreads of fewer than
/// least_units units, or of units too small for that distribution, are not judged. Of point sets only the upper end is held.
void judge_spread(const Spread& spread, const Law& law, std::uint64_t samples_of_unit);

/// Throws VerdictError where one of the numbers lies farther from the mean of all than chance explains: by Student's t of
/// its distance from the others (the externally studentized residual; Cook and Weisberg, "Residuals and Influence in
/// Regression", section 2.2.2), passed by one of them as rarely as max_sigma. Fewer than least_units are not judged.
void judge_extremes(const CountSums& launch_hits);

/// Throws VerdictError where more launches published the same counts than chance explains: one was counted twice, or did not
/// draw its own numbers. Not judged where equal counts are likely by chance.
void judge_repeats(const CountedHits& counted);

/// The verdict on a run, or on what there is of it: all of the above. Throws VerdictError.
void judge(const CountedHits& counted);

}  // namespace bench
