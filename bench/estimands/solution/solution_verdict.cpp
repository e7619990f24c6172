// The verdict on a solution.
#include <fmt/format.h>

#include <cmath>

#include "bench/errors.hpp"
#include "bench/estimands/chance/launches.hpp"
#include "bench/estimands/solution/solution.hpp"

namespace bench {
namespace {

// The transitions of a launch are farther out with a chance below 10^-18, even if the lengths of histories have a longer
// tail than the normal distribution.
constexpr double most_length_sigma = 12;

// A vector with fewer entries may have equal tallies by chance.
constexpr std::size_t least_entries = 16;

void judge_lengths(const MeasuredSolution& measured, const Tally& tally) {
    demand_near(measured.length_deviation(), fmt::format("the mean of {:.9g} transitions", measured.length()));
    demand_within(measured.length_spread(), variance_tolerance,
                  fmt::format("the variance of the transitions of {} launches", measured.launches()));
    const Tally::State& state = tally.state();
    judge_extremes({measured.launches(), measured.transitions(), state.sums.row[SolutionColumns::squares],
                    static_cast<std::uint64_t>(state.least[SolutionColumns::transitions]),
                    static_cast<std::uint64_t>(state.most[SolutionColumns::transitions])},
                   "transitions");
}

void judge_sums(const MeasuredSolution& measured) {
    for (const auto& [worst, name] :
         {std::pair(measured.worst_functional(), "functional"), std::pair(measured.worst_group(), "group")}) {
        if (worst) demand_near(worst->deviation, fmt::format("{} {} of {}", name, worst->index, worst->of));
    }
}

/// Throws VerdictError if the functionals of a launch are far from their expectation.
void judge_launches(const MeasuredSolution& measured, const Solution& solution, const Tally& tally) {
    const auto rank = static_cast<double>(solution.whitening().rank());
    if (rank == 0) {
        return;
    }
    const double largest = solution.chi_squared_of_launch(tally.state().most);
    const double limit =
        rank *
        solution.chi_squared_range(solution.histories_of_launch(tally.spec()), static_cast<double>(measured.launches()))
            .high;
    if (!(largest <= limit)) {
        throw VerdictError(
            fmt::format("a launch is far from the expectation: the chi-square of its {} functionals is "
                        "{:.4g}, more than {:.4g}",
                        rank, largest, limit));
    }
}

/// Launches without a random outcome are all alike.
bool may_repeat(const Solution& solution) {
    const bool is_certain =
        solution.what().no_estimate.empty() && solution.what().functionals && solution.whitening().rank() == 0;
    return is_certain || solution.what().entries < least_entries;
}

}  // namespace

void judge_length(const SolutionOf& what, std::uint64_t transitions, std::uint64_t histories) {
    const auto n = static_cast<double>(histories);
    const auto& [mean, variance] = what.length;
    if (!variance) {
        return;
    }
    if (*variance == 0) {
        if (const auto all = static_cast<std::uint64_t>(mean) * histories; transitions != all) {
            throw VerdictError(fmt::format("a launch published {} of {} {}", transitions, all, what.unit_many));
        }
        return;
    }
    const double off = static_cast<double>(transitions) - n * mean;
    demand_near(deviation(off, std::sqrt(n * *variance), {0}, most_length_sigma),
                fmt::format("a launch of {} transitions", transitions));
}

void judge(const MeasuredSolution& measured, const Solution& solution, const Tally& tally) {
    if (measured.histories() == 0) {
        throw VerdictError("no histories");
    }
    solution.require_ends(measured.histories());
    judge_lengths(measured, tally);
    judge_sums(measured);
    demand_within(measured.chi_squared(), 0, "the chi-square of the functionals");
    demand_within(measured.residual(), 0, "the mean squared residual of a launch");
    demand_within(measured.dispersion(), variance_tolerance,
                  fmt::format("the variance of the functionals over {} launches", measured.launches()));
    judge_launches(measured, solution, tally);
    if (!may_repeat(solution)) judge_repeats(tally, 0, "tallies");
}

}  // namespace bench
