#include "bench/estimands/distance.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/cli/errors.hpp"

namespace bench {

bool is_too_far(const Distance& distance) { return !(std::abs(distance.sigma) <= distance.limit); }

void demand_near(const std::optional<Distance>& distance, const std::string& what) {
    if (distance && is_too_far(*distance)) {
        throw VerdictError(fmt::format("{} is {:+.1f} sd from the expectation, more than {:.3g} sd", what,
                                       distance->sigma, distance->limit));
    }
}

}  // namespace bench
