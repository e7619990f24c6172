#include <fmt/format.h>

#include <cmath>

#include "bench/errors.hpp"
#include "bench/estimands/chance/launches.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/hits/hits.hpp"

namespace bench {
namespace {

void refuse_the_impossible(const Outcome& outcome) {
    if (outcome.samples == 0) {
        throw VerdictError("no samples");
    }
    if (outcome.hits > outcome.samples) {
        throw VerdictError(fmt::format("{} hits of {} samples", outcome.hits, outcome.samples));
    }
}

/// The probability that two launches publish the same counts, at most.
double chance_of_same(const CountedHits& counted) {
    const std::uint64_t counts = counted.tally().spec().published;
    const std::uint64_t samples = counted.samples_per_launch() / counts;
    if (counted.law().independent == Independent::launches) {
        // N points of a net distinguish N^2 shifts. Two shifts that differ by a point of the first block only exchange
        // points within each block: this is 1 in N times the number of blocks. Of 10^5 shifts, 3.6 times as many give
        // equal counts, for any N, from 16 blocks on (tests/host/kernels/random/sobol_test.cpp).
        constexpr std::uint64_t least_counts = 16;
        constexpr double times = 4;
        return counts < least_counts
                   ? 1
                   : times / (static_cast<double>(counted.samples_per_launch()) * static_cast<double>(counts));
    }
    return std::pow(chance_of_same_count(counted.law(), samples), static_cast<double>(counts));
}

}  // namespace

std::optional<VarianceRatio> uncertainty(const Law& law, const std::optional<Spread>& spread) {
    if (law.independent != Independent::launches) {
        return VarianceRatio{law.variance_ratio};
    }
    if (!spread || spread->units < least_units) {
        return std::nullopt;
    }
    return VarianceRatio{spread->ratio, static_cast<double>(spread->units - 1)};
}

void judge(const Outcome& outcome, const Expectation& expected, const VarianceRatio& uncertainty) {
    refuse_the_impossible(outcome);
    const double distance = sigma(outcome, expected, uncertainty.value);
    demand_near(Deviation{distance, sigma_limit(uncertainty.degrees_of_freedom)},
                fmt::format("the number of hits, {} of {} samples,", outcome.hits, outcome.samples));
}

void judge_spread(const Spread& spread, const Law& law, std::uint64_t samples_of_unit) {
    constexpr double least_variance =
        25;  // hits with this variance are nearly normal, and their rounding is a hundredth of it
    const double known = law.variance_ratio;
    if (spread.units < least_units || binomial_variance(law.expected, samples_of_unit) * known < least_variance) {
        return;
    }
    Spread of_known = spread;
    of_known.ratio /= known;
    demand_within(of_known, law.tolerance, fmt::format("the variance of the hits of {} {}", spread.units, spread.over),
                  law.independent != Independent::launches);
}

void judge(const CountedHits& counted) {
    const Law& law = counted.law();
    const auto spread = counted.spread(), launch_spread = counted.launch_spread();
    judge(counted.outcome(), law.expected, {law.variance_ratio});
    if (law.independent == Independent::launches) {
        if (const auto chance = uncertainty(law, spread)) judge(counted.outcome(), law.expected, *chance);
        judge_extremes(counted.launch_hits(), "hits");
    } else if (spread && counted.units_per_launch() > 1) {
        judge_spread(*spread, law, counted.samples_per_launch() / counted.units_per_launch());
    }
    if (launch_spread) judge_spread(*launch_spread, law, counted.samples_per_launch());
    judge_repeats(counted.tally(), chance_of_same(counted), "counts");
    judge_parts(counted.tally());
}

}  // namespace bench
