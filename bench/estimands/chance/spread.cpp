#include "bench/estimands/chance/spread.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/errors.hpp"

namespace bench {

std::uint64_t least_launches(Independent independent) { return independent == Independent::launches ? least_units : 1; }

double variance_tolerance_of(Soundness soundness) {
    return soundness == Soundness::demonstration ? demonstration_tolerance : variance_tolerance;
}

Spread spread_of_units(double ratio, std::uint64_t units, const char* over) {
    const auto degrees_of_freedom = static_cast<double>(units - 1);
    return {ratio, std::sqrt(2 / degrees_of_freedom), chi_squared_limits(degrees_of_freedom), units, over};
}

void demand_within(const std::optional<Spread>& spread, double tolerance, const std::string& what,
                   bool has_lower_limit) {
    if (!spread) {
        return;
    }
    const double low = has_lower_limit ? (1 - tolerance) * spread->limits.low : 0;
    const double high = (1 + tolerance) * spread->limits.high;
    if (!(low <= spread->ratio && spread->ratio <= high)) {
        throw VerdictError(
            fmt::format("{} is {:.4g} times the exact one, outside {:.4g} to {:.4g}", what, spread->ratio, low, high));
    }
}

}  // namespace bench
