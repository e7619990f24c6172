#include "bench/estimands/spread.hpp"

#include <cmath>

#include "bench/estimands/law.hpp"

namespace bench {

Units units_of(Independent independent, std::uint64_t samples_per_launch, std::uint64_t counts) {
    const bool by_block = independent != Independent::launches && counts > 1 && samples_per_launch > counts &&
                          samples_per_launch % counts == 0;
    return by_block ? Units{UnitOfSpread::block, counts, counts} : Units{UnitOfSpread::launch, 1, counts};
}

const char* plural(UnitOfSpread unit) { return unit == UnitOfSpread::block ? "blocks" : "launches"; }

std::optional<Spread> spread_of(const CountSums& unit_hits, UnitOfSpread unit, std::uint64_t samples,
                                const Expectation& expected) {
    const double binomial = binomial_variance(expected, samples);
    const auto variance = unit_hits.variance();
    if (!variance || binomial == 0) {
        return std::nullopt;
    }
    const double ratio = *variance / binomial;
    const double degrees_of_freedom = static_cast<double>(unit_hits.count - 1);
    return Spread{unit, unit_hits.count, ratio, ratio * std::sqrt(2 / degrees_of_freedom)};
}

std::uint64_t least_launches(Independent independent) { return independent == Independent::launches ? least_units : 1; }

}  // namespace bench
