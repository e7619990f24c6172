#include "bench/verdict.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/errors.hpp"

namespace bench {

std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples) {
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < published.size(); i++) {
        if (published[i] == unwritten) {
            throw VerdictError(fmt::format("count {} of {} was never written", i, published.size()));
        }
        // Count by count, so that a sum of absurd ones cannot wrap around into a plausible one.
        if (published[i] > samples - hits) {
            throw VerdictError(fmt::format("more hits than the {} samples", samples));
        }
        hits += published[i];
    }
    return hits;
}

double sigma(const Outcome& outcome, const Expectation& expected) {
    const double n = static_cast<double>(outcome.samples);
    const double p = static_cast<double>(expected.count) / expected.total;
    const double excess = static_cast<double>(outcome.hits) - n * p;
    return excess == 0 ? 0 : excess / std::sqrt(n * p * (1 - p));  // a certain outcome has no spread
}

void judge(const Outcome& outcome, const Expectation& expected) {
    if (outcome.samples == 0) {
        throw VerdictError("no samples");
    }
    if (outcome.hits > outcome.samples) {
        throw VerdictError(fmt::format("{} hits of {} samples", outcome.hits, outcome.samples));
    }
    const double distance = sigma(outcome, expected);
    if (!(std::abs(distance) <= max_sigma)) {
        throw VerdictError(fmt::format("{} hits of {} samples are {:+.1f} sd from the expectation, more than {} sd",
                                       outcome.hits, outcome.samples, distance, max_sigma));
    }
}

}  // namespace bench
