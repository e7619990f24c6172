#include "bench/estimands/solution/solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "bench/errors.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/text.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t least_histories = 1'000;  // of a launch: fewer are not nearly normal

Json worst_json(const std::optional<Worst>& worst) {
    return worst ? Json{{"index", worst->index},
                        {"of", worst->of},
                        {"sigma", worst->deviation.sigma},
                        {"limit", worst->deviation.limit}}
                 : Json(nullptr);
}

Json ratio_json(const std::optional<Spread>& ratio) {
    return ratio ? Json{{"value", ratio->ratio},
                        {"sd", ratio->sd},
                        {"low", ratio->limits.low},
                        {"high", ratio->limits.high}}
                 : Json(nullptr);
}

Json length_json(const MeasuredSolution& measured) {
    const HistoryLength& length = measured.what().length;
    const auto deviation = measured.length_deviation();
    return {{"mean", measured.length()},
            {"exact", length.variance ? Json(length.mean) : Json(nullptr)},
            {"sigma", deviation ? Json(deviation->sigma) : Json(nullptr)}};
}

Json judged_json(const SolutionOf& what) {
    if (!what.no_estimate.empty()) {
        return nullptr;
    }
    return what.judged.empty() ? static_cast<std::ptrdiff_t>(what.entries)
                               : std::count(what.judged.begin(), what.judged.end(), true);
}

Json error_json(const MeasuredSolution& measured) {
    const auto relative = measured.relative_error();
    return relative ? Json{{"relative", *relative},
                           {"predicted", or_null(measured.predicted_error())},
                           {"systematic", or_null(measured.systematic_error())}}
                    : Json(nullptr);
}

Json residual_json(const MeasuredSolution& measured) {
    const auto ratio = measured.residual();
    if (!ratio) {
        return nullptr;
    }
    const Residual& residual = *measured.what().residual;
    const double of_launch = static_cast<double>(measured.histories()) / static_cast<double>(measured.launches());
    const double predicted = std::sqrt(residual.mean / of_launch) / residual.relative_to;
    return {{"relative", std::sqrt(ratio->ratio) * predicted},
            {"predicted", predicted},
            {"sigma", (ratio->ratio - 1) / ratio->sd}};
}

Json merit_json(const MeasuredSolution& measured) {
    constexpr double one_percent = 0.01;
    const auto merit = measured.merit();
    return merit ? Json{{"k", *merit}, {"transitions_to_1pct", *merit / (one_percent * one_percent)}} : Json(nullptr);
}

/// The number of transitions of a history, if it is always the same.
std::optional<std::uint64_t> fixed_length(const HistoryLength& length) {
    return length.variance && *length.variance == 0 ? std::optional(static_cast<std::uint64_t>(length.mean))
                                                    : std::nullopt;
}

/// Throws std::invalid_argument unless the facts of an estimate fit together.
void check_facts(const SolutionOf& what) {
    demand(what.judged.empty() || what.judged.size() == what.entries, "judged entries of another vector");
    demand(!fixed_length(what.length) || what.length.mean == std::trunc(what.length.mean),
           "a fixed length of a history that is not a whole number");
    demand(what.variance >= 0 && what.norm > 0, "an estimate of zero, or with a negative variance");
    demand(what.ends.of_functionals.empty() ||
               (what.functionals && what.ends.of_functionals.size() == what.functionals->exact.size()),
           "ends of other functionals");
    demand(!what.residual || what.residual->sd > 0, "a residual without a standard deviation");
    demand(!what.functionals || (what.functionals->negative.size() == what.entries &&
                                 what.functionals->exact.size() <= most_functionals),
           "functionals of another vector, or more than 64");
    std::size_t first = 0;
    const std::size_t end = what.in_groups.empty() ? what.entries : what.in_groups.size();
    demand(std::all_of(what.in_groups.begin(), what.in_groups.end(), [&](auto j) { return j < what.entries; }),
           "groups of another vector");
    for (const Group& group : what.groups) {
        demand(group.end > first && group.end <= end, "groups that do not follow each other");
        first = group.end;
    }
}

}  // namespace

std::shared_ptr<const Estimand> solution(SolutionOf what) { return std::make_shared<Solution>(std::move(what)); }

Solution::Solution(SolutionOf what) : what_(std::move(what)), columns_(what_) {
    if (!what_.no_estimate.empty()) {
        return;
    }
    check_facts(what_);
    if (what_.functionals) whitening_ = Whitening(what_.functionals->exact.size(), what_.functionals->covariance);
}

JudgedSum Solution::functional(std::size_t k) const {
    const Functionals& functionals = *what_.functionals;
    return {functionals.exact[k], functionals.covariance[k * functionals.exact.size() + k]};
}

std::optional<double> Solution::predicted_error(std::uint64_t histories) const {
    const std::size_t n = columns_.chi_squared - SolutionColumns::functionals;
    double variance = 0;
    for (std::size_t k = 0; k < n; k++) variance += functional(k).variance;
    return n == 0 ? std::nullopt
                  : std::optional(std::sqrt(variance / static_cast<double>(n) / static_cast<double>(histories)) /
                                  judged_norm());
}

void Solution::require_ends(std::uint64_t histories) const {
    const auto& [of_functionals, most, advice] = what_.ends;
    const auto predicted = predicted_error(histories);
    if (predicted && most > *predicted && !advice.empty()) {
        throw VerdictError(fmt::format("x may be off by {:.2g} of its norm, and by chance by {:.2g} only: {}", most,
                                       *predicted, advice));
    }
}

double Solution::chi_squared_of_launch(const Row& row) const {
    return static_cast<double>(row[columns_.chi_squared]) * SolutionColumns::grid;
}

Limits Solution::chi_squared_range(std::uint64_t histories, double n) const {
    const auto rank = static_cast<double>(whitening_.rank());
    std::vector<double> within;
    for (const Expected& exact : what_.functionals->exact) {
        within.push_back(exact.within * std::sqrt(static_cast<double>(histories)));
    }
    Limits limits = chi_squared_limits(rank, n);
    limits.high = std::pow(std::sqrt(limits.high) + whitening_.most_length(within) / std::sqrt(rank), 2);
    return limits;
}

std::uint64_t Solution::histories_of_launch(const LaunchSpec& spec) const {
    return what_.histories != 0 ? what_.histories : spec.streams * spec.iters;
}

Json Solution::problem() const { return what_.system ? *what_.system : Json(nullptr); }

bool Solution::work_is_known() const { return fixed_length(what_.length).has_value(); }

/// The blocks share their counts, so a launch is replayed as a whole.
std::optional<Replay> Solution::replay(const LaunchSpec& spec, const Problem* problem, double transitions) const {
    if (!what_.replay) {
        return std::nullopt;
    }
    Replay replay = {.spec = spec};
    if (transitions < work_of_stream(spec)) {
        const double of_launch = transitions * static_cast<double>(spec.streams);
        replay.problem = what_.smaller(spec, *problem, of_launch);
        replay.spec.work = static_cast<std::uint64_t>(of_launch);
    }
    replay.difference = [differs = what_.replay, of = replay.spec, problem, fewer = replay.problem](
                            std::uint64_t launch, std::uint64_t, const Replay::Sums&,
                            std::span<const Count> published) {
        return differs(of, fewer ? *fewer : *problem, launch, {published.begin(), published.end()});
    };
    return replay;
}

void Solution::write_files(const Tally& tally) const {
    if (what_.file_of_x.empty()) {
        return;
    }
    const MeasuredSolution measured(*this, tally.state().sums, tally.spec());
    std::string text;
    for (std::size_t j = 0; j < what_.entries; j++)
        text += fmt::format("{}\n", std::ldexp(measured.entry(j), what_.exponent));
    write_result(what_.file_of_x, text);
}

std::uint64_t Solution::work_of_launch(const LaunchSpec& spec) const {
    if (!iterations_are_free() && spec.iters != 1) {
        throw UsageError(fmt::format("--iters: the number of {} of a launch is fixed", what_.history_many));
    }
    const std::uint64_t histories =
        what_.histories != 0 ? what_.histories : checked_product(spec.streams, spec.iters).value_or(UINT64_MAX);
    if (histories < least_histories) {
        throw UsageError(fmt::format("a launch of {} {} cannot be judged: at least {} are needed", histories,
                                     what_.history_many, least_histories));
    }
    if (spec.shape.blocks > 0 && (histories - 1) / spec.shape.blocks >= what_.histories_of_block) {
        throw UsageError(fmt::format(
            "--histories: {} for {} blocks are more than {} each, which is what a block can count; use --launches",
            grouped(histories), grouped(spec.shape.blocks), grouped(what_.histories_of_block)));
    }
    const double mean = static_cast<double>(histories) * what_.length.mean;
    if (!(mean < static_cast<double>(max_work))) {
        throw UsageError(
            fmt::format("a launch of {} {} exceeds 2^63 {}", grouped(histories), what_.history_many, what_.unit_many));
    }
    const auto fixed = fixed_length(what_.length);
    return fixed ? histories * *fixed : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(mean));
}

std::uint64_t Solution::work_of(const Sums& sums, const LaunchSpec&) const {
    // Tally refuses work beyond max_work.
    return static_cast<std::uint64_t>(std::min<Uint128>(sums.row[SolutionColumns::transitions], UINT64_MAX));
}

void Solution::judge(const Tally& tally) const {
    bench::judge({*this, tally.state().sums, tally.spec()}, *this, tally);
}

void Solution::check(const Tally& tally) const {
    const auto& [sums, least, most, prints, parts, marked] = tally.state();
    const std::uint64_t of_launch = histories_of_launch(tally.spec());
    const auto fixed = fixed_length(what_.length);
    const auto check_row = [&](const Row& row, std::uint64_t launches) {
        const Uint128 histories = Uint128{of_launch} * launches, transitions = row[SolutionColumns::transitions];
        demand(row[SolutionColumns::histories] == histories, "its histories are not those of its launches");
        demand(transitions <= max_work && (!fixed || transitions == *fixed * histories),
               "its transitions are not those of its histories");
        const CountSums of_launches = {launches, static_cast<std::uint64_t>(transitions),
                                       row[SolutionColumns::squares]};
        demand(of_launches.are_possible(), "its sum of squares contradicts its transitions");
        const auto demand_between = [&](std::size_t first, std::size_t end, Uint128 low, Uint128 high) {
            for (std::size_t i = first; i < std::min(end, row.size()); i++) {
                demand(low * launches <= row[i] && row[i] <= high * launches,
                       "a sum exceeds the range of its launches");
            }
        };
        demand_between(SolutionColumns::functionals, columns_.chi_squared, 1, SolutionColumns::end_place - 1);
        demand_between(columns_.chi_squared, columns_.groups, 0, SolutionColumns::end_square);
        demand_between(columns_.groups, columns_.entries, 1, SolutionColumns::end_place - 1);
        demand_between(columns_.entries, columns_.width, 1, 2 * SolutionColumns::zero_entry - 1);
    };
    check_row(sums.row, sums.launches);
    for (const Sums& point : marked) check_row(point.row, point.launches);
    for (const Row& extreme : {least, most}) {
        if (!extreme.empty()) check_row(extreme, 1);
    }
    constexpr double rounding = 1e-3;
    const auto dispersion = MeasuredSolution(*this, sums, tally.spec()).dispersion();
    demand(!dispersion || dispersion->ratio > -rounding, "its chi-square contradicts its functionals");
}

Json Solution::outcome(const Tally& tally) const {
    const MeasuredSolution measured(*this, tally.state().sums, tally.spec());
    return {{"entries", what_.entries},
            {"judged_entries", judged_json(what_)},
            {"histories", measured.histories()},
            {"bits", what_.bits},
            {"length", length_json(measured)},
            {"no_estimate", what_.no_estimate.empty() ? Json(nullptr) : Json(what_.no_estimate)},
            {"error", error_json(measured)},
            {"residual", residual_json(measured)},
            {"verdict",
             {{"functionals", worst_json(measured.worst_functional())},
              {"chi_squared", ratio_json(measured.chi_squared())},
              {"degrees_of_freedom", whitening_.rank()},
              {"groups", worst_json(measured.worst_group())},
              {"dispersion", ratio_json(measured.dispersion())}}},
            {"variance", what_.no_estimate.empty() ? Json(what_.variance) : Json(nullptr)},
            {"merit", merit_json(measured)}};
}

Json Solution::point(const Sums& sums, const LaunchSpec& spec) const {
    return Json::array({work_of(sums, spec), or_null(MeasuredSolution(*this, sums, spec).relative_error())});
}

}  // namespace bench
