// How widely the hits of a run scatter, measured over parts of it that are independent of each other.
#pragma once

#include <cstdint>
#include <optional>

#include "bench/estimands/source.hpp"
#include "bench/measure/statistics.hpp"

namespace bench {

/// What the hits are counted by.
enum class UnitOfSpread { block, launch };

/// The units of a run: equally many samples each, independent of each other.
struct Units {
    UnitOfSpread unit = UnitOfSpread::launch;
    std::uint64_t per_launch = 1;
    std::uint64_t counts = per_launch;  // published by a launch

    bool operator==(const Units&) const = default;
};

/// Units of a run whose launches publish `counts` counts each: blocks, where the counts are independent and stand for
/// equally many samples; otherwise launches.
Units units_of(Independent independent, std::uint64_t samples_per_launch, std::uint64_t counts);

/// "block" or "launch", in the plural.
const char* plural(UnitOfSpread unit);

/// The spread of the units' hits.
struct Spread {
    UnitOfSpread over;
    std::uint64_t units;
    double variance_ratio;  // variance of the hits of a unit, relative to that of the binomial distribution
    double sd;              // of variance_ratio
};

/// The spread of `unit_hits`, each of `samples` samples N that hit with the expected probability P: their sample variance
/// over N P (1 - P), and its standard deviation, which is sqrt(2 / (units - 1)) of it, as of a variable that follows the
/// chi-squared distribution, where the hits are nearly normal. Nothing with fewer than two units, or where the outcome is
/// certain.
std::optional<Spread> spread_of(const CountSums& unit_hits, UnitOfSpread unit, std::uint64_t samples,
                                const Expectation& expected);

/// Fewest units whose spread says how far an estimate can be off.
inline constexpr std::uint64_t least_units = 16;

/// Fewest launches that can be judged: least_units where only their spread gives the error, otherwise 1.
std::uint64_t least_launches(Independent independent);

}  // namespace bench
