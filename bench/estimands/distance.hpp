// How far a result is from its expectation.
#pragma once

#include <optional>
#include <string>

namespace bench {

/// A distance from the expectation in standard deviations, and the largest that chance explains.
struct Distance {
    double sigma;
    double limit;
};

/// Whether chance does not explain it. NaN is too far.
bool is_too_far(const Distance& distance);

/// Throws VerdictError if a distance is too far; `what` begins its line.
void demand_near(const std::optional<Distance>& distance, const std::string& what);

}  // namespace bench
