#include "kernels/mcls/solve/outer_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/cli/errors.hpp"
#include "bench/cli/interrupt.hpp"
#include "bench/measure/measurement.hpp"

namespace mcls {
namespace {

// Fewer leave a large GPU idle.
constexpr std::uint64_t fewest_histories = 1'000'000;
constexpr unsigned growths_in_a_row = 3;

/// Throws bench::VerdictError if the residual grew too often.
class Watch {
 public:
    void see(const OuterStep& step) {
        growths_ = step.factor < 1 ? 0 : growths_ + 1;
        if (!std::isfinite(step.residual) || growths_ == growths_in_a_row) {
            throw bench::VerdictError(fmt::format(
                "the residual grew in {} steps in a row, to {:.2g}: it needs more --histories, about {:.0e}", growths_,
                step.residual, static_cast<double>(cheapest_histories(step.histories, step.factor))));
        }
    }

 private:
    unsigned growths_ = 0;
};

}  // namespace

// The error of n histories is f = sqrt(F / n) of the residual, and the solution takes log(tolerance) / log(f) steps. So its
// cost is that of n / log(n / F) histories: least at n = e F, where f^2 = 1 / e.
std::uint64_t cheapest_histories(std::uint64_t histories, double factor) {
    constexpr double most_change = 16;  // the factor of one step is a random number
    const double change = std::min(std::numbers::e * factor * factor, most_change);
    return std::max(fewest_histories, static_cast<std::uint64_t>(static_cast<double>(histories) * change));
}

std::vector<OuterStep> solve(Iterate& iterate, const SolveLimits& limits,
                             const std::function<int(const Sizes&, std::uint64_t)>& bits_of,
                             const std::function<void(const OuterStep&)>& report) {
    const double norm_of_c = std::sqrt(iterate.begin().squares);
    std::vector<OuterStep> steps;
    OuterStep step{.number = 0,
                   .histories = limits.histories.value_or(fewest_histories),
                   .transitions = 0,
                   .ms = 0,
                   .residual = 1,
                   .factor = 1};
    Watch watch;
    while (step.residual > limits.tolerance) {
        bench::throw_if_interrupted();
        if (step.number == limits.steps) {
            throw bench::VerdictError(
                fmt::format("the residual is {:.2g} after {} steps: more --max-steps or --histories are needed",
                            step.residual, step.number));
        }
        if (step.number > 0 && !limits.histories) {
            step.histories = cheapest_histories(step.histories, step.factor);
        }
        step.number++;
        const double start = bench::monotonic_seconds();
        const Sizes source = iterate.sweep();
        const Iterate::Corrected corrected =
            iterate.correct(step.number, step.histories, bits_of(source, step.histories));
        step.ms += (bench::monotonic_seconds() - start) * 1e3;
        step.transitions = corrected.transitions;
        const double residual = std::sqrt(corrected.residual.squares) / norm_of_c;
        step.factor = residual / step.residual;
        step.residual = residual;
        steps.push_back(step);
        report(step);
        watch.see(step);
    }
    return steps;
}

}  // namespace mcls
