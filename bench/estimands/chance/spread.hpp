// Variances that were measured over the independent units of a run: blocks or launches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/estimands/chance/expected.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/step.hpp"

namespace bench {

/// Minimum number of units for an error estimate from their spread.
inline constexpr std::uint64_t least_units = 16;

/// Minimum number of launches for a verdict: least_units if only their spread gives the error, otherwise 1.
std::uint64_t least_launches(Independent independent);

/// Maximum relative difference of a variance from the known one, beyond what chance explains. Generators that pass all
/// other tests are off by 2 % in streams of some hundred samples. The 32-bit LCGs, which are demonstrations, are off by
/// some 5 % in streams of a million samples, and by 100 % in streams of their whole cycle.
inline constexpr double variance_tolerance = 0.05;
inline constexpr double demonstration_tolerance = 0.25;
double variance_tolerance_of(Soundness soundness);

/// A measured variance over the known one, its standard deviation, and the limits of chance.
struct Spread {
    double ratio;
    double sd;
    Limits limits;
    std::uint64_t units = 0;  // over which it was measured
    const char* over = "";    // what they are: "blocks"
};

/// The spread of so many independent, nearly normal units, at least two.
Spread spread_of_units(double ratio, std::uint64_t units, const char* over);

/// Throws VerdictError unless the ratio is within its limits, widened by this share. NaN is not. `what` begins its line. Without
/// a lower limit, the units may be less spread than independent ones.
void demand_within(const std::optional<Spread>& spread, double tolerance, const std::string& what,
                   bool has_lower_limit = true);

}  // namespace bench
