#include "bench/verdict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

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

std::optional<Uncertainty> uncertainty(Independent independent, const std::optional<Spread>& spread) {
    if (independent == Independent::samples) {
        return Uncertainty{};
    }
    if (!spread || spread->units < least_units) {
        return std::nullopt;
    }
    return Uncertainty{spread->variance_ratio, static_cast<double>(spread->units - 1)};
}

double sigma_limit(double degrees_of_freedom) {
    if (std::isinf(degrees_of_freedom)) {
        return max_sigma;
    }
    return student_t_quantile(std::erfc(max_sigma / std::numbers::sqrt2), degrees_of_freedom);
}

double sigma(const Outcome& outcome, const Expectation& expected, double variance_ratio) {
    const double n = static_cast<double>(outcome.samples);
    const double p = static_cast<double>(expected.count) / expected.total;
    const double excess = static_cast<double>(outcome.hits) - n * p;
    const double variance = n * p * (1 - p) * variance_ratio;
    return excess == 0 && variance == 0 ? 0 : excess / std::sqrt(variance);  // a certain outcome has no spread
}

namespace {

void refuse_the_impossible(const Outcome& outcome) {
    if (outcome.samples == 0) {
        throw VerdictError("no samples");
    }
    if (outcome.hits > outcome.samples) {
        throw VerdictError(fmt::format("{} hits of {} samples", outcome.hits, outcome.samples));
    }
}

}  // namespace

void judge(const Outcome& outcome, const Expectation& expected, const Uncertainty& uncertainty) {
    refuse_the_impossible(outcome);
    const double distance = sigma(outcome, expected, uncertainty.variance_ratio);
    const double limit = sigma_limit(uncertainty.degrees_of_freedom);
    if (!(std::abs(distance) <= limit)) {
        throw VerdictError(fmt::format("{} hits of {} samples are {:+.1f} sd from the expectation, more than {:.3g} sd",
                                       outcome.hits, outcome.samples, distance, limit));
    }
}

void judge_coarsely(const Outcome& outcome, const Expectation& expected, Independent independent) {
    if (independent == Independent::counts) {
        refuse_the_impossible(outcome);
    } else {
        judge(outcome, expected);
    }
}

}  // namespace bench
