#include "bench/estimands/hits/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bench/errors.hpp"

namespace bench {
namespace {

/// The range of hits that chance allows for `samples` samples.
class Range {
 public:
    Range(std::uint64_t samples, const Law& law) : samples_(samples), law_(law) {
        const double n = static_cast<double>(samples), mean = n * hit_probability(law.expected);
        const double width = max_count_sigma * std::sqrt(binomial_variance(law.expected, samples) * law.variance_ratio);
        low_ = mean - width;
        high_ = std::min(mean + width, n);
    }

    bool has(std::uint64_t hits) const {
        const double h = static_cast<double>(hits);
        return low_ <= h && h <= high_;  // false for NaN
    }

    /// Throws VerdictError with the reason.
    [[noreturn]] void refuse(std::uint64_t hits, const std::string& what) const {
        if (hits > samples_) {
            throw VerdictError(fmt::format("{}: {} hits of {} samples", what, hits, samples_));
        }
        throw VerdictError(
            fmt::format("{}: {} hits of {} samples are {:+.1f} sd from the expectation, more than {:.3g} sd", what,
                        hits, samples_, sigma({hits, samples_}, law_.expected, law_.variance_ratio), max_count_sigma));
    }

 private:
    std::uint64_t samples_;
    const Law& law_;
    double low_, high_;
};

/// long double has 64 bits of precision or more on x86 and Arm: 4 P - pi loses half the digits of a double.
long double probability(const Expectation& expected) {
    return expected.count / static_cast<long double>(expected.total);
}

}  // namespace

double hit_probability(const Expectation& expected) { return static_cast<double>(expected.count) / expected.total; }

double chance_of_same_count(const Law& law, std::uint64_t samples) {
    const double sd = std::sqrt(binomial_variance(law.expected, samples) * law.variance_ratio);
    return std::min(1.0, 1 / (2 * sd * std::sqrt(std::numbers::pi)));
}

double binomial_variance(const Expectation& expected, std::uint64_t samples) {
    const double p = hit_probability(expected);
    return static_cast<double>(samples) * p * (1 - p);
}

double sigma(const Outcome& outcome, const Expectation& expected, double variance_ratio) {
    const double excess =
        static_cast<double>(outcome.hits) - static_cast<double>(outcome.samples) * hit_probability(expected);
    const double variance = binomial_variance(expected, outcome.samples) * variance_ratio;
    return excess == 0 && variance == 0 ? 0 : excess / std::sqrt(variance);  // a certain outcome has no spread
}

std::uint64_t units_per_launch(Independent independent, std::uint64_t samples, std::uint64_t counts) {
    const bool by_block =
        independent != Independent::launches && counts > 1 && samples > counts && samples % counts == 0;
    return by_block ? counts : 1;
}

std::optional<Spread> spread_of(const CountSums& unit_hits, const char* units, std::uint64_t samples,
                                const Expectation& expected) {
    const double binomial = binomial_variance(expected, samples);
    const auto variance = unit_hits.variance();
    if (!variance || binomial == 0) {
        return std::nullopt;
    }
    Spread spread = spread_of_units(*variance / binomial, unit_hits.count, units);
    spread.sd *= spread.ratio;
    return spread;
}

std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples, const Law& law) {
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < published.size(); i++) {
        if (published[i] == unwritten) {
            throw VerdictError(fmt::format("count {} of {} was never written", i, published.size()));
        }
        // Checked count by count: a sum of impossible counts could wrap around to a plausible one.
        if (published[i] > samples - hits) {
            throw VerdictError(fmt::format("more hits than the {} samples", samples));
        }
        hits += published[i];
    }
    if (const std::size_t counts = published.size(); counts > 0 && samples % counts == 0) {
        const Range of_count(samples / counts, law);
        for (std::size_t i = 0; i < counts; i++) {
            if (!of_count.has(published[i])) of_count.refuse(published[i], fmt::format("count {} of {}", i, counts));
        }
    }
    if (const Range of_launch(samples, law); !of_launch.has(hits)) of_launch.refuse(hits, "a launch");
    return hits;
}

double estimate(const Outcome& outcome) {
    return 4.0 * static_cast<double>(outcome.hits) / static_cast<double>(outcome.samples);
}

double estimate_sd(const Outcome& outcome, const Expectation& expected, double variance_ratio) {
    const long double p = probability(expected);
    return static_cast<double>(4 * std::sqrt(p * (1 - p) * variance_ratio / outcome.samples));
}

double bias(const Expectation& expected) {
    return static_cast<double>(4 * probability(expected) - std::numbers::pi_v<long double>);
}

double error_bound(const Outcome& outcome, const Expectation& expected, double variance_ratio) {
    return std::abs(bias(expected)) + 2 * estimate_sd(outcome, expected, variance_ratio);
}

}  // namespace bench
