#include "bench/law.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "bench/errors.hpp"

namespace bench {
namespace {

/// Throws VerdictError unless the hits are where chance may put them; NaN never passes.
void check_distance(const Outcome& outcome, const Law& law, const std::string& what) {
    const double distance = sigma(outcome, law.expected, law.variance_ratio);
    if (!(std::abs(distance) <= max_count_sigma)) {
        throw VerdictError(
            fmt::format("{}: {} hits of {} samples are {:+.1f} sd from the expectation, more than {:.3g} sd", what,
                        outcome.hits, outcome.samples, distance, max_count_sigma));
    }
}

}  // namespace

Law law_of(const Version& version, unsigned iters) {
    return {version.source->expected, version.independent, version.variance_ratio ? version.variance_ratio(iters) : 1};
}

double sigma(const Outcome& outcome, const Expectation& expected, double variance_ratio) {
    const double n = static_cast<double>(outcome.samples);
    const double p = static_cast<double>(expected.count) / expected.total;
    const double excess = static_cast<double>(outcome.hits) - n * p;
    const double variance = n * p * (1 - p) * variance_ratio;
    return excess == 0 && variance == 0 ? 0 : excess / std::sqrt(variance);  // a certain outcome has no spread
}

std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples, const Law& law) {
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
    if (samples % published.size() == 0) {
        for (std::size_t i = 0; i < published.size(); i++) {
            check_distance({published[i], samples / published.size()}, law,
                           fmt::format("count {} of {}", i, published.size()));
        }
    }
    check_distance({hits, samples}, law, "a launch");
    return hits;
}

}  // namespace bench
