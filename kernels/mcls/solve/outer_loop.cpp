#include "kernels/mcls/solve/outer_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "bench/text.hpp"

namespace mcls {
namespace {

/// Throws bench::VerdictError if the residual grows too often, or stays the same though steps have more and more histories.
class Watch {
 public:
    void see(const OuterStep& step, bool takes_more) {
        if (!std::isfinite(step.residual)) throw bench::VerdictError("the residual is not finite");
        growths_ = step.factor < 1 ? 0 : growths_ + 1;
        stalls_ = takes_more && std::abs(step.factor - 1) < 0.1 ? stalls_ + 1 : 0;
        const bool stalls = stalls_ == too_many;
        if (stalls || growths_ == too_many) {
            throw bench::VerdictError(fmt::format("the residual {} in {} steps in a row, {} {:.2g}: use {}",
                                                  stalls ? "stayed the same" : "grew", too_many, stalls ? "at" : "to",
                                                  step.residual, advice(step, stalls)));
        }
    }

 private:
    static constexpr unsigned too_many = 3;

    static std::string advice(const OuterStep& step, bool stalls) {
        if (step.residual < 1e-14) return "a larger --tolerance: doubles are no finer";
        if (stalls) return "a larger --tolerance, or a smaller --cutoff where one ends histories";
        const auto histories = static_cast<double>(cheapest_histories(step.histories, step.factor));
        return fmt::format("more --histories, about {:.0e}", histories);
    }

    unsigned growths_ = 0, stalls_ = 0;
};

class OuterLoop {
 public:
    OuterLoop(Iterate& iterate, const SolveLimits& limits, const BitsOf& bits_of)
        : iterate_(iterate),
          limits_(limits),
          bits_of_(bits_of),
          norm_of_c_(std::sqrt(iterate.begin().squares)),
          histories_(limits.histories.value_or(iterate.fewest_histories())) {}

    bool is_done() const { return last_.residual <= limits_.tolerance; }

    OuterStep next() {
        if (last_.number == limits_.steps) {
            throw bench::VerdictError(
                fmt::format("the residual is {:.2g} after {} step{}: use more --max-steps or --histories",
                            last_.residual, last_.number, last_.number == 1 ? "" : "s"));
        }
        const double start = bench::monotonic_seconds();
        Iterate::Corrected now{iterate_.sweep(), 0};
        const bool corrects = relative(now.residual) > limits_.tolerance;
        if (corrects) now = iterate_.correct(last_.number + 1, histories_, bits_of_(now.residual, histories_));
        const double residual = relative(now.residual);
        last_ = {.number = last_.number + 1,
                 .histories = corrects ? histories_ : 0,
                 .transitions = now.transitions,
                 .ms = last_.ms + (bench::monotonic_seconds() - start) * 1e3,
                 .residual = residual,
                 .factor = residual / last_.residual};
        if (!limits_.histories) {
            histories_ = std::max(iterate_.fewest_histories(), cheapest_histories(histories_, last_.factor));
            histories_ = std::min(histories_, iterate_.most_histories());
        }
        return last_;
    }

 private:
    double relative(const Sizes& residual) const { return std::sqrt(residual.squares) / norm_of_c_; }

    Iterate& iterate_;
    const SolveLimits& limits_;
    const BitsOf& bits_of_;
    double norm_of_c_;
    std::uint64_t histories_;
    OuterStep last_{.number = 0, .histories = 0, .transitions = 0, .ms = 0, .residual = 1, .factor = 1};
};

}  // namespace

std::uint64_t fewest_histories(std::uint32_t n) { return std::max(std::uint64_t{250'000}, std::uint64_t{n} * 2); }

// The error of n histories is f = sqrt(F / n) of the residual, and the solution takes log(tolerance) / log(f) steps. So its
// cost is that of n / log(n / F) histories: least at n = e F, where f^2 = 1 / e.
std::uint64_t cheapest_histories(std::uint64_t histories, double factor) {
    constexpr double most = 16;  // the factor of one step is a random number, or not finite
    constexpr double end = 0x1p62;
    const double change = std::min(most, std::numbers::e * factor * factor);
    return static_cast<std::uint64_t>(std::min(static_cast<double>(histories) * change, end));
}

void check_histories(const SolveLimits& limits, const Iterate& iterate) {
    if (limits.histories && *limits.histories > iterate.most_histories()) {
        throw bench::UsageError(
            fmt::format("--histories: {} are more than {}, which is what a step can count on this GPU",
                        bench::grouped(*limits.histories), bench::grouped(iterate.most_histories())));
    }
}

std::vector<OuterStep> solve(Iterate& iterate, const SolveLimits& limits, const BitsOf& bits_of,
                             const std::function<void(const OuterStep&)>& report) {
    OuterLoop loop(iterate, limits, bits_of);
    Watch watch;
    std::vector<OuterStep> steps;
    while (!loop.is_done()) {
        steps.push_back(loop.next());
        report(steps.back());
        const bool takes_more = !limits.histories && steps.back().histories < iterate.most_histories();
        watch.see(steps.back(), takes_more && !loop.is_done());
    }
    return steps;
}

}  // namespace mcls
