// The verdict on means.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "bench/errors.hpp"
#include "bench/estimands/chance/launches.hpp"
#include "bench/estimands/means/means.hpp"

namespace bench {
namespace {

// A block's mean is farther than this from the expectation, in standard deviations, with a chance below 10^-18 even for
// skewed payoffs, if the block has enough numbers to be nearly normal.
constexpr double most_block_sigma = 12;
constexpr std::uint64_t least_numbers_of_block = 256;

double sd_of_share(double share, std::uint64_t numbers) {
    return std::sqrt(share * (1 - share) / static_cast<double>(numbers));
}

void judge_statistic(const MeasuredMeans& measured, std::size_t i) {
    const Statistic& statistic = measured.what().statistics[i];
    const MeasuredMean mean = measured.mean(i);
    const Expected exact = i == 0 ? expected_estimate(measured.what()) : statistic.mean;
    demand_near(deviation(mean, exact), fmt::format("the mean of {}, {:.9g},", statistic.name, mean.value));
    const auto variance = measured.variance(i);
    demand_near(variance_deviation(measured, i),
                fmt::format("the variance of {}, {:.6g},", statistic.name, variance.value_or(0)));
    if (measured.what().independent == Independent::launches && statistic.variance) {
        // Points of a set are never farther off than independent ones.
        const double sd = std::sqrt(statistic.variance->value / static_cast<double>(measured.numbers()));
        demand_near(deviation({mean.value, sd, std::numeric_limits<double>::infinity()}, exact),
                    fmt::format("the mean of {}, {:.9g},", statistic.name, mean.value));
    }
}

/// Throws VerdictError unless the variance of the sums of units is what it should be.
void judge_spread(const MeasuredMeans& measured, const std::optional<Spread>& spread, const char* name) {
    if (!spread || spread->units < least_units) {
        return;
    }
    demand_within(spread, variance_tolerance_of(measured.what().soundness),
                  fmt::format("the variance of {} over {} {}", name, spread->units, spread->over),
                  measured.what().independent != Independent::launches);
}

void judge_spreads(const MeasuredMeans& measured) {
    for (std::size_t i = 0; i < measured.what().statistics.size(); i++) {
        const char* name = measured.what().statistics[i].name;
        judge_spread(measured, measured.launch_spread(i), name);
        judge_spread(measured, measured.block_spread(i), name);
    }
}

/// Throws VerdictError if the sum of one launch is far from those of the others.
void judge_extreme_launches(const MeasuredMeans& measured, const Tally& tally) {
    const auto spread = measured.launch_spread(0);
    if (!spread) {
        return;
    }
    const Statistic& statistic = measured.what().statistics[0];
    const auto numbers = static_cast<double>(measured.numbers_of_launch());
    const double mean = measured.mean(0).value * numbers;
    const auto off = [&](const Row& row) {
        const auto places = static_cast<double>(MeasuredMeans::grid_sum(row, 0, measured.numbers_of_launch()));
        return places * grid_unit(measured.what(), 0) - mean;
    };
    judge_extremes(measured.launches(), spread->ratio * statistic.variance->value * numbers, off(tally.state().least),
                   off(tally.state().most), statistic.name);
}

/// Throws VerdictError unless every number is the same, and the right one.
void judge_constant(const MeasuredMeans& measured) {
    const auto& positive = measured.what().positive;
    if (positive &&
        static_cast<double>(measured.positive()) != positive->value * static_cast<double>(measured.numbers())) {
        throw VerdictError(
            fmt::format("{} of {} constant {} pay", measured.positive(), measured.numbers(), measured.what().number));
    }
    for (std::size_t i = 0; i < measured.what().statistics.size(); i++) {
        const Statistic& statistic = measured.what().statistics[i];
        const double value = measured.mean(i).value, expected = statistic.mean.value;
        const double rounding = grid_unit(measured.what(), i);
        if (!(std::abs(value - expected) <= constant_tolerance * std::abs(expected) + rounding)) {
            throw VerdictError(
                fmt::format("{} is {:.9g} on constant numbers, expected {:.9g}", statistic.name, value, expected));
        }
        if (!measured.all_equal(i)) {
            throw VerdictError(fmt::format("{} differs from path to path on constant numbers", statistic.name));
        }
    }
}

/// Throws VerdictError if a block's mean of statistic `i` is far out. `sum` is what the block published of its numbers.
void judge_block_mean(const MeansOf& what, std::size_t i, std::uint64_t block, Count sum, std::uint64_t numbers) {
    const Statistic& statistic = what.statistics[i];
    if (!statistic.variance || numbers < least_numbers_of_block || what.constant) {
        return;
    }
    const long double places = sum - std::ldexp(static_cast<long double>(numbers), 22);
    const auto mean = static_cast<double>(places * grid_unit(what, i) / static_cast<long double>(numbers));
    const double sd = std::sqrt(statistic.variance->value / static_cast<double>(numbers));
    if (!(std::abs(mean - statistic.mean.value) <= most_block_sigma * sd)) {
        throw VerdictError(fmt::format("block {}: a mean {} of {:.6g} is {:+.1f} sd from the expectation", block,
                                       statistic.name, mean, (mean - statistic.mean.value) / sd));
    }
}

}  // namespace

std::optional<Deviation> deviation(const MeasuredMean& mean, const Expected& expected) {
    return mean.sd ? std::optional(deviation(mean.value, *mean.sd, expected, sigma_limit(mean.degrees_of_freedom)))
                   : std::nullopt;
}

Expected expected_estimate(const MeansOf& what) {
    const Expected& reference = what.statistics[0].mean;
    return {reference.value + what.bias.value, std::hypot(reference.sd, what.bias.sd), what.bias.within};
}

std::optional<Deviation> variance_deviation(const MeasuredMeans& measured, std::size_t i) {
    const Statistic& statistic = measured.what().statistics[i];
    const auto variance = measured.variance(i);
    if (!variance || !statistic.variance || statistic.kurtosis == 0 || measured.what().constant) {
        return std::nullopt;
    }
    const double known = statistic.variance->value;
    const double chance = known * std::sqrt((statistic.kurtosis - 1) / static_cast<double>(measured.numbers()));
    return deviation(*variance, chance, *statistic.variance);
}

std::optional<Deviation> positive_deviation(const MeasuredMeans& measured) {
    const auto& known = measured.what().positive;
    if (!known) {
        return std::nullopt;
    }
    const double share = static_cast<double>(measured.positive()) / static_cast<double>(measured.numbers());
    return deviation(share, sd_of_share(known->value, measured.numbers()), *known);
}

void judge_blocks(const MeansOf& what, std::span<const Count> published, const LaunchSpec& spec) {
    const std::uint64_t blocks = published.size() / columns_of(what.statistics.size());
    const std::uint64_t numbers = spec.streams * spec.iters / blocks;
    const auto column = [&](std::size_t c, std::uint64_t block) { return published[published_at(c, block, blocks)]; };
    for (std::uint64_t block = 0; block < blocks; block++) {
        if (column(0, block) != numbers) {
            throw VerdictError(
                fmt::format("block {} published {} of {} {}", block, column(0, block), numbers, what.number));
        }
        if (column(1, block) != 0) {
            throw VerdictError(fmt::format("block {}: {} of {} {} are bad: not finite, or beyond the grid", block,
                                           column(1, block), numbers, what.number));
        }
        for (std::size_t i = 0; i < what.statistics.size(); i++) {
            judge_block_mean(what, i, block, column(3 + i, block), numbers);
        }
    }
}

void judge(const MeasuredMeans& measured, const Tally& tally) {
    if (measured.numbers() == 0) {
        throw VerdictError(fmt::format("no {}", measured.what().number));
    }
    if (measured.what().constant) {
        return judge_constant(measured);
    }
    for (std::size_t i = 0; i < measured.what().statistics.size(); i++) judge_statistic(measured, i);
    demand_near(deviation(measured.estimate(), expected_estimate(measured.what())),
                fmt::format("the {}, {:.9g},", measured.what().quantity, measured.estimate().value));
    demand_near(positive_deviation(measured), fmt::format("the share of {} with a positive {}", measured.what().number,
                                                          measured.what().statistics[0].name));
    judge_spreads(measured);
    judge_extreme_launches(measured, tally);
    judge_parts(tally);
    judge_repeats(tally, 0, "sums");
}

}  // namespace bench
