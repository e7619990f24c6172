#include "kernels/mcls/problem/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/host.hpp"
#include "bench/options/own_options.hpp"
#include "bench/text.hpp"
#include "kernels/mcls/analysis/column_scales.hpp"
#include "kernels/mcls/analysis/convergence.hpp"
#include "kernels/mcls/analysis/exact.hpp"
#include "kernels/mcls/analysis/history_ends.hpp"
#include "kernels/mcls/problem/description.hpp"
#include "kernels/mcls/problem/wish.hpp"
#include "kernels/mcls/replay/rehearsal.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/tables/path_tables.hpp"
#include "kernels/mcls/tables/short_rows.hpp"
#include "kernels/mcls/tables/tables.hpp"

namespace mcls {
namespace {

using Json = nlohmann::ordered_json;

/// The histories of a wish. Throws bench::UsageError if a system is not for the design.
Histories histories_of(const Design& design, const Wish& wish, const Splitting& splitting) {
    if (design.sampling == Sampling::almost_optimal) {
        return almost_optimal(splitting, design.method, wish.steps, wish.cutoff);
    }
    if (design.sampling == Sampling::importance) {
        return guided(splitting, wish.sweeps, wish.steps, wish.cutoff, design.table == Table::short_rows);
    }
    if (has_slots(design.sampling)) {
        return on_slots(almost_optimal(splitting, design.method, wish.steps, wish.cutoff),
                        design.sampling == Sampling::paths);
    }
    try {
        Histories histories = absorbing(splitting, design.method);
        histories.steps = wish.steps;
        if (const auto row = row_above_one(histories.b)) {
            throw bench::UsageError(
                fmt::format("absorption needs every sum of |H| <= 1: that of {} is above", *row + 1));
        }
        return histories;
    } catch (const bench::UsageError& refusal) {
        throw bench::UsageError(fmt::format("{}: {}; see {}", wish.system.name, refusal.what(), design.instead));
    }
}

/// Why there is no estimate; empty if there is one. Throws bench::UsageError if the wish does not accept that there is none.
std::string reason_against_estimate(const Design& design, const Wish& wish, const Splitting& splitting,
                                    const Histories& histories) {
    const SecondMoments shown = second_moments_shown(histories);
    if (shown.finite) {
        return "";
    }
    named(wish.system, [&] {
        require_convergence(splitting);
        if (!wish.without_estimate) {
            require_finite_variance(shown, design.sampling != Sampling::absorbing);
        }
    });
    if (!wish.solution_file.empty()) {
        throw bench::UsageError("--solution: there is no estimate, because the variance may be infinite");
    }
    return fmt::format("the variance of a history may be infinite (max Ĥ^k 1 is {:.2g} after {} steps)", shown.largest,
                       shown.steps);
}

std::uint32_t reach_of(const Sparse& b) {
    std::uint32_t reach = 0;
    for (std::uint32_t row = 0; row < b.n; row++) {
        for (const std::uint32_t column : b.columns_of(row))
            reach = std::max(reach, std::max(row, column) - std::min(row, column));
    }
    return reach;
}

void make_tables(const Design& design, const Histories& histories, Walks& walks) {
    if (design.table == Table::cdf) {
        walks.cdf = cdf_table(histories.b, design.sampling);
    } else if (design.table == Table::alias) {
        walks.alias = design.sampling == Sampling::importance ? alias_table(histories.b, histories.probability)
                                                              : alias_table(histories.b, design.sampling);
    } else if (design.table == Table::short_rows) {
        walks.short_rows = short_table(in_units(histories), design.widths, !histories.unit.empty());
    } else {
        walks.first = histories.b.first;
        walks.column = histories.b.column;
        walks.value = histories.b.value;
        walks.reach = reach_of(histories.b);
    }
    if (design.method == Method::adjoint) {
        walks.starts = start_table(histories.source);
    }
    if (!histories.unit.empty()) {
        for (std::uint32_t entry = 0; entry < walks.n; entry++) {
            walks.starts.start.push_back({entry, histories.unit[entry]});
            const std::uint32_t place = ShortState::place(walks.short_rows.state_of[entry]);
            walks.b[place] = histories.source[entry] / histories.unit[entry];
        }
    }
    if (design.table == Table::short_rows) {
        for (Start& start : walks.starts.start) {
            start.state = walks.short_rows.state_of[start.state];
        }
    }
}

std::uint64_t bytes_of(const Walks& walks) {
    const auto bytes = [](const auto& vector) { return vector.size() * sizeof(vector[0]); };
    return bytes(walks.b) + bytes(walks.starts.guide) + bytes(walks.starts.last) + bytes(walks.starts.start) +
           bytes(walks.cdf.first) + bytes(walks.cdf.entries) + bytes(walks.alias.slots) + bytes(walks.alias.factors) +
           bytes(walks.short_rows.slots) + bytes(walks.short_rows.first_factors) + bytes(walks.short_rows.rest) +
           bytes(walks.short_rows.entry_of) + bytes(walks.first) + bytes(walks.column) + bytes(walks.value);
}

/// Transitions of a history. Where they are not known, their mean comes from a few histories.
bench::HistoryLength length_of(const Design& design, const Histories& histories, Walks walks) {
    if (has_slots(design.sampling)) {  // they have no end but the cutoff: without it even weights of 0 go on
        return histories.cutoff > 0
                   ? bench::HistoryLength{mean_length_on_slots(walks, design.sampling == Sampling::paths)}
                   : bench::HistoryLength{static_cast<double>(histories.steps), 0.0};
    }
    if (const auto exact = transitions(histories)) {
        return {exact->mean, exact->variance};
    }
    if (design.table == Table::own) {
        walks.cdf = cdf_table(histories.b, design.sampling);
    }
    const bool adjoint = design.method == Method::adjoint;
    const std::uint64_t entries = adjoint ? 1 : walks.n;
    constexpr std::uint64_t few = 1'000;
    walks.histories_of_entry = (few + entries - 1) / entries;
    const HistoryRange range = {.seed = 1, .launch = 0, .first = 0, .count = few};
    const auto replayed = [&] {
        switch (design.table) {
            case Table::alias:
                return adjoint ? replay(on_host<Adjoint<AliasRows>>(walks), range)
                               : replay(on_host<Forward<AliasRows>>(walks), range);
            case Table::short_rows:
                return adjoint ? replay(on_host<Adjoint<ShortRows>>(walks), range)
                               : replay(on_host<GuidedShortRows>(walks), range);
            default:
                return adjoint ? replay(on_host<Adjoint<CdfRows>>(walks), range)
                               : replay(on_host<Forward<CdfRows>>(walks), range);
        }
    };
    const Outcome outcome = replayed();
    return {static_cast<double>(outcome.transitions) / static_cast<double>(outcome.histories)};
}

/// What the launches walk on; the scale is yet to be set. Throws bench::UsageError if the step cannot walk it.
std::shared_ptr<Walks> walks_of(const Design& design, const Wish& wish, const Histories& histories) {
    auto walks = std::make_shared<Walks>();
    walks->n = histories.b.n;
    walks->histories = wish.histories;
    walks->histories_of_entry = design.method == Method::forward ? wish.histories / walks->n : 0;
    walks->limits = {static_cast<std::uint32_t>(std::min(wish.steps, most_steps)), wish.cutoff};
    walks->b = histories.source;
    walks->replay = design.replay;
    walks->places = design.places;
    walks->replay_tables = replay_tables();
    named(wish.system, [&] { make_tables(design, histories, *walks); });
    if (has_slots(design.sampling)) {
        const std::uint32_t length = design.sampling == Sampling::paths ? length_of_paths(*walks) : 1;
        walks->least_steps = transitions_of_quad(length) - 1;
    } else if (*design.for_steps != '\0') {
        walks->least_steps = walks->limits.steps;
    }
    if (design.check) {
        named(wish.system, [&] { design.check(*walks); });
    }
    return walks;
}

/// Throws where histories have no variance by which an estimate could be judged, as where sweeps solve the system.
void require_variance(const bench::SolutionOf& what, const Wish& wish) {
    constexpr double rounding = 1e-9;
    if (wish.sweeps > 0 && !(what.variance > rounding * what.norm * what.norm)) {
        throw bench::UsageError(fmt::format(
            "--sweeps: {} sweeps solve the system, so that histories have no variance; use fewer", wish.sweeps));
    }
    const std::size_t count = what.functionals->exact.size();
    bool varies = what.variance > 0 && what.norm > 0 && (!what.residual || what.residual->sd > 0);
    for (std::size_t k = 0; k < count; ++k) {
        varies = varies && !(what.functionals->covariance[k * count + k] < 0);
    }
    if (!varies) {
        throw bench::UsageError(fmt::format(
            "{}: histories are alike, so an estimate cannot be judged; mcls_solve has the answer", wish.system.name));
    }
}

/// What ends histories where the user did not choose it, and what would help; empty if that matters less than what the user
/// chose.
std::string advice_of(const Wish& wish, const Histories& histories, const Ends& ends) {
    if (ends.of_cutoff > ends.of_steps) {
        return wish.chose_cutoff
                   ? ""
                   : fmt::format("histories end below {:g} of their first weight; a smaller --cutoff helps",
                                 wish.cutoff);
    }
    if (wish.chose_steps) {
        return "";
    }
    constexpr double most = 1e15;
    const auto by = static_cast<std::uint64_t>(std::ceil(std::min(ends.halved_by, most)));
    const std::string more =
        ends.halved_by < most ? fmt::format("; every {} --steps more halve that", bench::grouped(by)) : "";
    return fmt::format("histories end after {} transitions{}{}", bench::grouped(histories.steps), more,
                       row_above_one(histories.b) ? "" : "; absorption needs no such limit: see v13");
}

/// What is known without the moments of the histories.
bench::SolutionOf known_of(const Design& design, const Wish& wish, const Histories& histories,
                           const std::shared_ptr<const Walks>& walks, const TallySize& size, int bits) {
    return {.entries = walks->n,
            .type = design.tallies,
            .bits = bits,
            .histories = wish.histories,
            .histories_of_block = design.histories_of_block(size.mean / size.of_entry, walks->n),
            .most_launches = std::uint64_t{1} << 32,  // HistoryId::launch
            .replay = design.replay ? difference_from_replay : nullptr,
            .smaller = design.replay ? smaller_problem : nullptr,
            .share = design.method == Method::adjoint ? 1 : 1.0 / walks->n,
            .length = length_of(design, histories, *walks),
            .generator = design.generator,
            .soundness = design.soundness,
            .file_of_x = wish.solution_file};
}

/// A problem with all that is known of its solution.
struct Posed {
    std::shared_ptr<const Walks> walks;
    bench::SolutionOf what;
    std::string suffix;
};

/// `loops_from`: Step::loops_from.
Posed posed(const Design& design, const bench::OwnValues& values, unsigned loops_from) {
    const double start = bench::monotonic_seconds();
    const Wish wish = wish_of(design, values);
    if (wish.solution_file == "-") throw bench::UsageError("--solution: - is no file; mcls_solve writes to stdout so");
    Splitting split = named(wish.system, [&] { return jacobi(wish.system); });
    const int exponent = exponent_of(split.b);
    split.b = scaled(std::move(split.b), -exponent);
    const auto splitting = std::make_shared<const Splitting>(std::move(split));
    const ScaledSplitting walked = design.method == Method::adjoint
                                       ? named(wish.system, [&] { return scaled_for_walks(*splitting); })
                                       : ScaledSplitting{*splitting, {}};
    Histories histories = histories_of(design, wish, walked.splitting);
    histories.strata = design.stratified ? wish.histories : 0;
    const std::shared_ptr<Walks> walks = walks_of(design, wish, histories);
    const double prepared = bench::monotonic_seconds();

    const std::string no_estimate = reason_against_estimate(design, wish, walked.splitting, histories);
    const TallySize size = tally_size(histories);
    const int bits = std::min(bits_of(size, wish.histories, has_steps(design) ? ": fewer --steps may do" : ""),
                              design.bits_of_first - 1 - std::ilogb(size.of_entry));
    walks->scale = std::ldexp(1.0, bits);
    bench::SolutionOf what = known_of(design, wish, histories, walks, size, bits);
    what.exponent = exponent;
    walks->length = what.length.mean;
    walks->loops_from = loops_from;
    what.no_estimate = no_estimate;
    what.factors = walked.back();
    Json problem = description(design, wish, histories);
    problem["truncation"] = nullptr;
    if (no_estimate.empty()) {
        const Histories of_x = walked.of_x(histories, *splitting);
        const bool all = design.method == Method::forward;  // the verdict may ask about all entries of x
        const Ends ends = add_moments(what, splitting, of_x, all ? std::vector<std::uint8_t>() : wish.system.judged);
        require_variance(what, wish);
        problem["truncation"] = ends.residual;
        what.ends.advice = advice_of(wish, histories, ends);
    }
    problem["bytes"] = bytes_of(*walks);
    problem["prepare_ms"] = (prepared - start) * 1e3;
    problem["moments_ms"] = (bench::monotonic_seconds() - prepared) * 1e3;
    what.system = std::make_shared<const Json>(problem);
    what.system_lines = description_lines(problem);
    return {walks, std::move(what), wish.suffix};
}

class WalkOptions : public bench::OwnOptions {
 public:
    explicit WalkOptions(const Design& design) : design_(design) {}

    std::vector<bench::OwnOption> list() const override { return options_list(design_); }

    std::string settle(const bench::OwnValues& values, bench::Step& step) const override {
        Posed made = posed(design_, values, step.loops_from);
        step.own.problem = made.walks;
        step.estimand = bench::solution(std::move(made.what));
        step.estimand->require_launches(1);
        step.counts = [counts = first_tally + made.walks->n](bench::Shape) { return counts; };
        if (design_.upload && !step.equip) {
            step.equip = design_.upload;
        }
        if (design_.kernel) {
            step.kernel = design_.kernel(*made.walks);
        }
        if (design_.shared_bytes) {
            step.dynamic_shared_bytes = [walks = made.walks, bytes = design_.shared_bytes](unsigned threads) {
                return bytes(*walks, threads);
            };
        }
        if (design_.scratch_bytes) {
            step.scratch_bytes = [walks = made.walks, bytes = design_.scratch_bytes](bench::Shape shape, unsigned) {
                return bytes(*walks, shape);
            };
        }
        return made.suffix;
    }

 private:
    Design design_;
};

}  // namespace

std::shared_ptr<const bench::OwnOptions> options_of(const Design& design) {
    return std::make_shared<WalkOptions>(design);
}

std::shared_ptr<const bench::Estimand> estimand_of(const Design& design) {
    return bench::solution({.entries = 0,
                            .bits = 0,
                            .histories = design.histories,
                            .length = {1},
                            .generator = design.generator,
                            .soundness = design.soundness,
                            .no_estimate = "not settled"});
}

}  // namespace mcls
