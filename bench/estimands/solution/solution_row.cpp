// The row of a launch of an estimand of a solution.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "bench/errors.hpp"
#include "bench/estimands/solution/solution.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

// A launch's group is farther out with a chance below 10^-18, even if its distribution has longer tails than the normal.
constexpr double most_group_sigma = 12;

bool is_judged(const SolutionOf& what, std::size_t entry) { return what.judged.empty() || what.judged[entry]; }

/// Throws VerdictError if a count was never written. A tally of fixed point may be -1 unit, which looks the same.
void demand_written(const SolutionOf& what, std::span<const Count> published) {
    const auto end = what.type == TallyType::doubles ? published.end() : published.begin() + first_tally;
    const auto found = std::find(published.begin(), end, unwritten);
    if (found != end) {
        throw VerdictError(
            fmt::format("count {} of {} was never written", found - published.begin(), published.size()));
    }
}

/// The tallies in units of 2^-bits. Throws VerdictError if one is not finite, or too large for an estimate: from 2^62 units on.
std::vector<std::int64_t> tallies_of(const SolutionOf& what, std::span<const Count> published) {
    const double scale = std::ldexp(1.0, what.bits);
    const double end = what.no_estimate.empty() ? std::ldexp(1.0, 62) : std::numeric_limits<double>::infinity();
    std::vector<std::int64_t> tallies;
    tallies.reserve(published.size());
    for (const Count count : published) {
        const double units = what.type == TallyType::doubles ? std::bit_cast<double>(count) * scale
                                                             : static_cast<double>(std::bit_cast<std::int64_t>(count));
        if (!(std::abs(units) < end)) {
            throw VerdictError(fmt::format("the tally of entry {} is not finite, or exceeds 2^62 units of 2^{}",
                                           tallies.size(), -what.bits));
        }
        const double factor = what.factors.empty() ? 1 : what.factors[tallies.size()];
        const bool is_whole = what.type == TallyType::fixed_point && what.factors.empty();
        tallies.push_back(is_whole ? std::bit_cast<std::int64_t>(count) : std::llrint(units * factor));
    }
    return tallies;
}

/// A sum of up to 2^31 tallies, whose lower and upper 32 bits are added up apart: faster than Int128.
struct SumOfHalves {
    std::int64_t low = 0, high = 0;

    void add(std::int64_t tally) {
        low += tally & UINT32_MAX;
        high += tally >> 32;
    }
    Int128 value() const { return (Int128{high} << 32) + low; }
};

/// The functionals in units of the tallies. Entries with the same eight signs are added up first.
std::vector<Int128> functional_sums(const SolutionOf& what, std::span<const std::int64_t> tallies) {
    constexpr unsigned bytes = 8, patterns = 256;
    std::array<std::array<SumOfHalves, patterns>, bytes> of_signs = {};
    for (std::size_t j = 0; j < tallies.size(); j++) {
        if (!is_judged(what, j)) continue;
        const std::uint64_t signs = what.functionals->negative[j];
        for (unsigned byte = 0; byte < bytes; byte++) of_signs[byte][(signs >> 8 * byte) % patterns].add(tallies[j]);
    }
    std::vector<Int128> sums(what.functionals->exact.size());
    for (std::size_t k = 0; k < sums.size(); k++) {
        for (unsigned signs = 0; signs < patterns; signs++) {
            const Int128 sum = of_signs[k / 8][signs].value();
            sums[k] += (signs >> k % 8) % 2 ? -sum : sum;
        }
    }
    return sums;
}

std::vector<Int128> group_sums(const SolutionOf& what, std::span<const std::int64_t> tallies) {
    std::vector<Int128> sums;
    std::size_t place = 0;
    for (const Group& group : what.groups) {
        Int128 sum = 0;
        for (; place < group.end; place++) {
            const std::size_t j = what.in_groups.empty() ? place : what.in_groups[place];
            sum += is_judged(what, j) ? tallies[j] : 0;
        }
        sums.push_back(sum);
    }
    return sums;
}

/// The place of an error on the grid of a launch's sum. Throws VerdictError, which names the sum, if it is beyond the grid.
Uint128 place_of(double error, double sd, const char* kind, std::size_t index) {
    const double steps = std::rint(error / (SolutionColumns::grid * sd));
    if (!(std::abs(steps) < static_cast<double>(SolutionColumns::zero_place))) {
        throw VerdictError(
            fmt::format("{} {} of a launch is {:+.3g} sd from the expectation", kind, index, error / sd));
    }
    return static_cast<Uint128>(static_cast<Int128>(SolutionColumns::zero_place) + static_cast<Int128>(steps));
}

/// Throws VerdictError if a square is beyond its range; `what` begins its line.
Uint128 place_of_square(double in_units, const char* what) {
    const double steps = std::rint(in_units / SolutionColumns::grid);
    if (!(steps >= 0 && steps < static_cast<double>(SolutionColumns::end_square))) {
        throw VerdictError(fmt::format("{} of a launch is {:.3g}, impossibly large", what, in_units));
    }
    return static_cast<Uint128>(steps);
}

/// Makes the row of a launch.
class RowOfLaunch {
 public:
    RowOfLaunch(const Solution& solution, std::span<const Count> published, std::uint64_t histories)
        : solution_(solution),
          what_(solution.what()),
          histories_(histories),
          unit_(solution.unit_of_estimate(histories)),
          tallies_(tallies_of(what_, published.subspan(first_tally))) {
        const Uint128 transitions = published[transitions_count];
        row_ = {transitions, published[histories_count], transitions * transitions};
    }

    Row row() && {
        if (what_.no_estimate.empty()) {
            if (what_.functionals) add_functionals();
            if (what_.residual) add_residual();
            add_groups();
            if (!what_.file_of_x.empty()) {
                for (const std::int64_t tally : tallies_) {
                    row_.push_back(static_cast<Uint128>(static_cast<Int128>(SolutionColumns::zero_entry) + tally));
                }
            }
        }
        return std::move(row_);
    }

 private:
    double error(const JudgedSum& sum, Int128 tallies) const {
        return static_cast<double>(static_cast<long double>(tallies) * unit_ - sum.exact.value);
    }

    void add_functionals() {
        const std::vector<Int128> sums = functional_sums(what_, tallies_);
        const double scale = std::sqrt(static_cast<double>(histories_));
        std::vector<double> of_history;
        for (std::size_t k = 0; k < sums.size(); k++) {
            const JudgedSum sum = solution_.functional(k);
            const double off = error(sum, sums[k]);
            row_.push_back(place_of(off, sum.sd(histories_), "functional", k));
            of_history.push_back(off * scale);
        }
        row_.push_back(
            place_of_square(solution_.whitening().squared_length(of_history), "the chi-square of the functionals"));
    }

    void add_residual() {
        std::vector<double> x(tallies_.begin(), tallies_.end());
        for (double& entry : x) entry *= static_cast<double>(unit_);
        const Residual& residual = *what_.residual;
        const double of_history = residual.squared_norm(x) * static_cast<double>(histories_);
        row_.push_back(place_of_square(of_history / residual.sd, "the squared residual in standard deviations"));
    }

    void add_groups() {
        const std::vector<Int128> sums = group_sums(what_, tallies_);
        for (std::size_t g = 0; g < sums.size(); g++) {
            const JudgedSum sum = solution_.group(g);
            const double off = error(sum, sums[g]), sd = sum.sd(histories_);
            const Deviation of_group = deviation(off, sd, {0, 0, sum.exact.within}, most_group_sigma);
            if (is_too_far(of_group)) demand_near(of_group, fmt::format("group {} of a launch", g));
            row_.push_back(place_of(off, sd, "group", g));
        }
    }

    const Solution& solution_;
    const SolutionOf& what_;
    std::uint64_t histories_;
    long double unit_;
    std::vector<std::int64_t> tallies_;
    Row row_;
};

}  // namespace

SolutionColumns::SolutionColumns(const SolutionOf& what) {
    const bool has_estimate = what.no_estimate.empty();
    chi_squared = functionals + (has_estimate && what.functionals ? what.functionals->exact.size() : 0);
    residual = chi_squared + (has_estimate && what.functionals ? 1 : 0);
    groups = residual + (has_estimate && what.residual ? 1 : 0);
    entries = groups + (has_estimate ? what.groups.size() : 0);
    width = entries + (has_estimate && !what.file_of_x.empty() ? what.entries : 0);
}

double JudgedSum::sd(std::uint64_t histories) const {
    if (variance == 0) {
        const double size = std::max(std::abs(exact.value), exact.within);
        return std::ldexp(size == 0 ? 1 : size, -30);
    }
    return std::sqrt(variance / static_cast<double>(histories));
}

long double Solution::unit_of_estimate(std::uint64_t histories) const {
    return std::ldexp(1.0L, -what_.bits) / (static_cast<long double>(histories) * what_.share);
}

Row Solution::row_of(std::span<const Count> published, const LaunchSpec& spec) const {
    if (published.size() != first_tally + what_.entries) throw std::logic_error("tallies of another vector");
    demand_written(what_, published);
    const std::uint64_t histories = histories_of_launch(spec);
    if (published[histories_count] != histories) {
        throw VerdictError(
            fmt::format("a launch published {} of {} {}", published[histories_count], histories, what_.history_many));
    }
    judge_length(what_, published[transitions_count], histories);
    return RowOfLaunch(*this, published, histories).row();
}

}  // namespace bench
