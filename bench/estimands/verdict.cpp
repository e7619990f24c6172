#include "bench/estimands/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>
#include <numbers>

#include "bench/cli/errors.hpp"

namespace bench {
namespace {

/// Probability that a normal variable is farther than max_sigma from its mean, on either side.
double rare() { return std::erfc(max_sigma / std::numbers::sqrt2); }

void refuse_the_impossible(const Outcome& outcome) {
    if (outcome.samples == 0) {
        throw VerdictError("no samples");
    }
    if (outcome.hits > outcome.samples) {
        throw VerdictError(fmt::format("{} hits of {} samples", outcome.hits, outcome.samples));
    }
}

/// Binary logarithm of the probability that two launches publish the same counts, at most.
double log2_chance_of_same(const CountedHits& counted) {
    const auto counts = static_cast<double>(counted.units().counts);
    const std::uint64_t samples = counted.samples_per_launch() / counted.units().counts;
    if (counted.law().independent == Independent::launches) {
        // N points of a net distinguish N^2 shifts. Two shifts that differ by a point of the first block only exchange
        // points within each block: this is 1 in N times the number of blocks. Of 10^5 shifts, 3.6 times as many give
        // equal counts, for any N, from 16 blocks on (tests/host/kernels/random/sobol_test.cpp).
        constexpr double least_counts = 16, times = 4;
        return counts < least_counts ? 0
                                     : std::log2(times / (static_cast<double>(counted.samples_per_launch()) * counts));
    }
    return counts * std::log2(chance_of_same_count(counted.law(), samples));
}

/// Probability, at most, that a Poisson variable reaches `k`: the Chernoff bound (Mitzenmacher and Upfal, "Probability
/// and Computing", theorem 5.4).
double most_chance(double mean, double k) {
    return k <= mean ? 1 : mean == 0 ? 0 : std::exp(k - mean + k * std::log(mean / k));
}

}  // namespace

std::optional<Uncertainty> uncertainty(const Law& law, const std::optional<Spread>& spread) {
    if (law.independent != Independent::launches) {
        return Uncertainty{law.variance_ratio};
    }
    if (!spread || spread->units < least_units) {
        return std::nullopt;
    }
    return Uncertainty{spread->variance_ratio, static_cast<double>(spread->units - 1)};
}

double sigma_limit(double degrees_of_freedom) {
    return std::isinf(degrees_of_freedom) ? max_sigma : student_t_quantile(rare(), degrees_of_freedom);
}

void judge(const Outcome& outcome, const Expectation& expected, const Uncertainty& uncertainty) {
    refuse_the_impossible(outcome);
    const double distance = sigma(outcome, expected, uncertainty.variance_ratio);
    const double limit = sigma_limit(uncertainty.degrees_of_freedom);
    if (!(std::abs(distance) <= limit)) {
        throw VerdictError(fmt::format("{} hits of {} samples are {:+.1f} sd from the expectation, more than {:.3g} sd",
                                       outcome.hits, outcome.samples, distance, limit));
    }
}

double shared_sigma_limit(std::uint64_t n) {
    return quantile(complement(boost::math::normal_distribution<>(), rare() / 2 / static_cast<double>(n)));
}

VarianceLimits chi_squared_limits(double degrees_of_freedom, double n) {
    if (std::isnan(degrees_of_freedom)) {
        return {degrees_of_freedom, degrees_of_freedom};
    }
    // Chance changes a variance with so many degrees of freedom by 2 in 10,000. Boost finds no quantile for 10^11.
    constexpr double most_degrees = 1e9;
    const boost::math::chi_squared_distribution<> chi2(std::min(degrees_of_freedom, most_degrees));
    const double tail = rare() / 2 / n;
    return {quantile(chi2, tail) / chi2.degrees_of_freedom(),
            quantile(complement(chi2, tail)) / chi2.degrees_of_freedom()};
}

VarianceLimits variance_limits(std::uint64_t units) { return chi_squared_limits(static_cast<double>(units - 1)); }

bool is_outlier(double distance, double n, double variance) {
    const double limit = student_t_quantile(rare() / n, n - 2);
    const double squared = distance * distance * n / (n - 1);
    const double others = ((n - 1) * variance - squared) / (n - 2);  // variance of the others
    return distance != 0 && !(squared <= limit * limit * others);
}

void judge_spread(const Spread& spread, const Law& law, std::uint64_t samples_of_unit) {
    constexpr double least_variance =
        25;  // hits with this variance are nearly normal, and their rounding is a hundredth of it
    const double known = law.variance_ratio;
    if (spread.units < least_units || binomial_variance(law.expected, samples_of_unit) * known < least_variance) {
        return;
    }
    const auto [low, high] = variance_limits(spread.units);
    const bool wide_enough =
        law.independent == Independent::launches || spread.variance_ratio >= known * (1 - law.tolerance) * low;
    if (!wide_enough || !(spread.variance_ratio <= known * (1 + law.tolerance) * high)) {
        throw VerdictError(
            fmt::format("the variance of the hits of {} {} is {:.3g} times the binomial's, expected {}{:.3g}",
                        spread.units, plural(spread.over), spread.variance_ratio,
                        law.independent == Independent::launches ? "at most " : "", known));
    }
}

void judge_extremes(const CountSums& of_launches, const char* counted) {
    const auto variance = of_launches.variance();
    if (of_launches.count < least_units || !variance) {
        return;
    }
    const auto n = static_cast<double>(of_launches.count);
    const long double mean = static_cast<long double>(of_launches.sum) / of_launches.count;
    for (const std::uint64_t extreme : {of_launches.least, of_launches.most}) {
        const auto distance = static_cast<double>(extreme - mean);
        if (is_outlier(distance, n, *variance)) {
            throw VerdictError(
                fmt::format("a launch with {0} {3} is {1:+.0f} {3} from the mean of all {2}, far outside the others",
                            extreme, distance, of_launches.count, counted));
        }
    }
}

void judge_repeats(const CountedHits& counted) {
    const Fingerprints& prints = counted.fingerprints();
    const auto launches = static_cast<double>(counted.launch_hits().count);
    const double same = std::exp2(log2_chance_of_same(counted));
    if (prints.repeats() == 0 || launches * same > 1) {
        return;
    }
    const double kept = static_cast<double>(prints.kept().size()) / launches;
    const double expected = launches * (launches - 1) / 2 * same * kept;
    if (!(most_chance(expected, static_cast<double>(prints.repeats())) >= rare())) {
        throw VerdictError(fmt::format("{} of {} launches published the same counts as another one", prints.repeats(),
                                       prints.kept().size()));
    }
}

void judge_parts(const Tally& tally) {
    constexpr std::uint64_t least_launches = 8;
    constexpr double rare_enough = 1e-12;
    const auto& sums = tally.state().parts.sums();
    const auto n = static_cast<double>(sums.size()), launches = static_cast<double>(tally.launches());
    const double by_chance = n * (n - 1) / 2 * std::pow(tally.parts().chance_of_same, launches);
    if (tally.launches() < least_launches || !(by_chance < rare_enough)) {
        return;
    }
    std::map<std::uint64_t, std::size_t> first;
    for (std::size_t part = 0; part < sums.size(); part++) {
        const auto [other, is_new] = first.emplace(sums[part], part);
        if (!is_new) {
            throw VerdictError(fmt::format("blocks {} and {} published the same in all of {} launches", other->second,
                                           part, tally.launches()));
        }
    }
}

void judge(const CountedHits& counted) {
    const Law& law = counted.law();
    const auto spread = counted.spread(), launch_spread = counted.launch_spread();
    judge(counted.outcome(), law.expected, {law.variance_ratio});
    if (law.independent == Independent::launches) {
        if (const auto chance = uncertainty(law, spread)) judge(counted.outcome(), law.expected, *chance);
        judge_extremes(counted.launch_hits(), "hits");
    } else if (spread && counted.units().unit == UnitOfSpread::block) {
        judge_spread(*spread, law, counted.samples_per_launch() / counted.units().per_launch);
    }
    if (launch_spread) judge_spread(*launch_spread, law, counted.samples_per_launch());
    judge_repeats(counted);
}

}  // namespace bench
