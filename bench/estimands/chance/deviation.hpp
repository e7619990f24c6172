// How far a measured number is from its expectation.
#pragma once

#include <optional>
#include <string>

#include "bench/estimands/chance/expected.hpp"
#include "bench/estimands/chance/limits.hpp"

namespace bench {

/// A distance from the expectation in standard deviations, and the largest that chance explains.
struct Deviation {
    double sigma;
    double limit;
};

/// The deviation of a number that was measured with this standard deviation. The errors of both count, and the limit grows
/// by what arithmetic may be off.
Deviation deviation(double value, double sd, const Expected& expected, double limit = max_sigma);

/// Whether chance does not explain it. NaN is too far.
bool is_too_far(const Deviation& deviation);

/// Throws VerdictError if a deviation is too far; `what` begins its line.
void demand_near(const std::optional<Deviation>& deviation, const std::string& what);

}  // namespace bench
