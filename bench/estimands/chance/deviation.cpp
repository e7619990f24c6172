#include "bench/estimands/chance/deviation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/errors.hpp"

namespace bench {

Deviation deviation(double value, double sd, const Expected& expected, double limit) {
    const double both = std::hypot(sd, expected.sd);
    const double off = value - expected.value;
    const double systematic = expected.within == 0 ? 0 : expected.within / both;
    return {off == 0 ? 0 : off / both, limit + systematic};  // a certain outcome has no spread
}

bool is_too_far(const Deviation& deviation) { return !(std::abs(deviation.sigma) <= deviation.limit); }

void demand_near(const std::optional<Deviation>& deviation, const std::string& what) {
    if (deviation && is_too_far(*deviation)) {
        throw VerdictError(fmt::format("{} is {:+.1f} sd from the expectation, more than {:.3g} sd", what,
                                       deviation->sigma, deviation->limit));
    }
}

}  // namespace bench
