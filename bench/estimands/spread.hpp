// The variance of the hits of a run, measured over independent parts of it.
#pragma once

#include <cstdint>
#include <optional>

#include "bench/estimands/source.hpp"
#include "bench/measure/statistics.hpp"

namespace bench {

/// The parts of a run whose hits are compared.
enum class UnitOfSpread { block, launch };

/// The units of a run: independent of each other, with equally many samples each.
struct Units {
    UnitOfSpread unit = UnitOfSpread::launch;
    std::uint64_t per_launch = 1;
    std::uint64_t counts = per_launch;  // published by a launch

    bool operator==(const Units&) const = default;
};

/// Units of a run whose launches publish `counts` counts each: blocks, if the counts are independent and stand for
/// equally many samples, more than one; otherwise launches. A count of one sample is 0 or 1: the spread of such counts
/// follows from their mean and tells nothing.
Units units_of(Independent independent, std::uint64_t samples_per_launch, std::uint64_t counts);

/// "block" or "launch", in the plural.
const char* plural(UnitOfSpread unit);

/// The measured spread of the units' hits.
struct Spread {
    UnitOfSpread over;
    std::uint64_t units;
    double variance_ratio;  // variance of the hits of a unit over the binomial variance
    double sd;              // of variance_ratio
};

/// The sample variance of `unit_hits` over the binomial variance N P (1 - P), for units of N = `samples` samples that
/// hit with probability P. Its standard deviation is sqrt(2 / (units - 1)) times the ratio, as for the chi-squared
/// distribution, if the hits are nearly normal. Empty with fewer than two units, or if the outcome is certain.
std::optional<Spread> spread_of(const CountSums& unit_hits, UnitOfSpread unit, std::uint64_t samples,
                                const Expectation& expected);

/// Minimum number of units for an error estimate from their spread.
inline constexpr std::uint64_t least_units = 16;

/// Minimum number of launches for a verdict: least_units if only their spread gives the error, otherwise 1.
std::uint64_t least_launches(Independent independent);

}  // namespace bench
