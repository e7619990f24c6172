#include "kernels/mcls/replay/replays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>
#include <type_traits>
#include <typeindex>
#include <utility>

#include "kernels/mcls/replay/counted_paths.hpp"
#include "kernels/mcls/replay/counted_walkers.hpp"
#include "kernels/mcls/replay/double_replay.hpp"
#include "kernels/mcls/replay/population.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/tables/double_tables.hpp"
#include "kernels/mcls/tables/methods.hpp"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls {

class ReplayTables {
 public:
    /// The table of the method, from the first call.
    template <class Of>
    const auto& of(const Walks& walks) {
        using Made = decltype(MethodOf<Of>::made(walks));
        const std::lock_guard lock(making_);
        auto& table = tables_[typeid(Of)];
        if (!table) table = std::make_shared<const Made>(MethodOf<Of>::made(walks));
        return *static_cast<const Made*>(table.get());
    }

 private:
    std::mutex making_;
    std::map<std::type_index, std::shared_ptr<const void>> tables_;  // by method
};

std::shared_ptr<ReplayTables> replay_tables() { return std::make_shared<ReplayTables>(); }

namespace {

using bench::Count;
using bench::Launch;

template <class Outcome>
Replayed with_work(const Outcome& outcome) {
    Replayed replayed;
    replayed.counts.resize(first_tally);
    replayed.counts[transitions_count] = outcome.transitions;
    replayed.counts[histories_count] = outcome.histories;
    return replayed;
}

Replayed replayed(const Outcome& outcome) {
    Replayed all = with_work(outcome);
    all.counts.reserve(first_tally + outcome.tallies.size());
    for (const std::int64_t tally : outcome.tallies) {
        all.counts.push_back(std::bit_cast<Count>(tally));
    }
    return all;
}

Replayed replayed(const DoubleOutcome& outcome) {
    Replayed all = with_work(outcome);
    all.counts.reserve(first_tally + outcome.tallies.size());
    all.rounding.reserve(outcome.tallies.size());
    for (const DoubleTally& tally : outcome.tallies) {
        all.counts.push_back(std::bit_cast<Count>(tally.sum));
        all.rounding.push_back(tally.rounding());
    }
    return all;
}

HistoryRange histories_of(const Launch& l) {
    return {l.seed, static_cast<std::uint32_t>(l.index), 0, walks_of(l.problem).histories};
}

/// Calls use(method), on a table that Walks have, that was made before, or that is made now.
template <class Of, class Use>
Replayed with_method(const Walks& walks, Use use) {
    const auto on = [&](const auto& table) { return use(MethodOf<Of>::on(walks, table, OnHost{})); };
    if constexpr (!std::is_reference_v<decltype(MethodOf<Of>::made(walks))>) {
        if (walks.replay_tables) return on(walks.replay_tables->of<Of>(walks));
    }
    return on(MethodOf<Of>::made(walks));
}

template <class Of>
Replayed replayed_with(const Of& method, const Launch& l) {
    return replayed(replay(method, histories_of(l)));
}

/// Histories add to cells, which stand for visits of entries.
template <std::uint32_t length>
Replayed replayed_with(const SlotWalks<length>& method, const Launch& l) {
    Outcome outcome = replay(method, histories_of(l));
    const std::uint32_t of_state = method.rows.cells;
    const std::vector<std::int64_t> cells = std::exchange(outcome.tallies, std::vector<std::int64_t>(method.rows.n));
    for (std::uint32_t cell = 0; cell < cells.size(); cell++) {
        method.visits_of(cell / of_state, cell % of_state, cells[cell],
                         [&](std::uint32_t entry, std::int64_t amount) { outcome.tallies[entry] += amount; });
    }
    return replayed(outcome);
}

Replayed replayed_with(const QuarterPaths& method, const Launch& l) {
    const auto walked =
        counted_paths::walked(counted_paths::clones().front(), method, keys_of(l.seed),
                              static_cast<std::uint32_t>(l.index), walks_of(l.problem).histories, replay_threads());
    return {counted_paths::counts_of(method, walked)};
}

Replayed replayed_with(const CountedWalkers& method, const Launch& l) {
    return replayed(counted_walkers::walked(method, l, l.index));
}

Replayed replayed_with(const Population& method, const Launch& l) {
    return replayed(population::walked(method, l, l.index));
}

/// `Of`: AdjointTables or ForwardTables.
template <class Of>
Replayed replay_doubles(const Launch& l, Seeding seeding, DoubleOutcome (*replay)(const Of&, const DoubleLaunch&)) {
    const Walks& walks = walks_of(l.problem);
    const DoubleLaunch launch = {seeding, l.seed, l.index, total_threads(l.shape), walks.histories};
    return with_method<Of>(walks, [&](const Of& method) { return replayed(replay(method, launch)); });
}

Replayed replay_adjoint(const Launch& l, Seeding seeding) {
    return replay_doubles<AdjointTables<CsrRows>>(l, seeding, replay);
}

/// Whether a published count is as replayed.
bool agrees(const Replayed& replayed, std::size_t place, Count published) {
    if (place < first_tally || replayed.rounding.empty()) {
        return published == replayed.counts[place];
    }
    const double off = std::bit_cast<double>(published) - std::bit_cast<double>(replayed.counts[place]);
    return std::abs(off) <= replayed.rounding[place - first_tally];
}

std::string text_of(const Replayed& replayed, std::size_t place, Count count) {
    if (place < first_tally) {
        return fmt::format("{}", count);
    }
    return replayed.rounding.empty() ? fmt::format("{}", std::bit_cast<std::int64_t>(count))
                                     : fmt::format("{}", std::bit_cast<double>(count));
}

std::string name_of(std::size_t place) {
    return place == transitions_count ? "number of transitions"
           : place == histories_count ? "number of histories"
                                      : fmt::format("tally of entry {}", place - first_tally);
}

}  // namespace

template <class Of>
Replayed replay(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    if constexpr (std::is_same_v<Of, SlotPaths>) {
        return length_of_paths(walks) == 3 ? replay<SlotWalks<3>>(l) : replay<SlotWalks<2>>(l);
    } else {
        return with_method<Of>(walks, [&](const Of& method) { return replayed_with(method, l); });
    }
}

template Replayed replay<Adjoint<CdfRows>>(const Launch&);
template Replayed replay<Adjoint<AliasRows>>(const Launch&);
template Replayed replay<Adjoint<ShortRows>>(const Launch&);
template Replayed replay<Forward<AliasRows>>(const Launch&);
template Replayed replay<Stratified<AliasRows>>(const Launch&);
template Replayed replay<GuidedShortRows>(const Launch&);
template Replayed replay<QuarterPaths>(const Launch&);
template Replayed replay<CountedWalkers>(const Launch&);
template Replayed replay<Population>(const Launch&);
template Replayed replay<SlotWalks<1>>(const Launch&);
template Replayed replay<SlotPaths>(const Launch&);

Replayed replay_quarter_paths_one_by_one(const Launch& l) {
    const auto one_by_one = [&](const QuarterPaths& method) { return replayed(replay(method, histories_of(l))); };
    return with_method<QuarterPaths>(walks_of(l.problem), one_by_one);
}

Replayed replay_subsequences(const Launch& l) { return replay_adjoint(l, Seeding::subsequences); }
Replayed replay_own_seeds(const Launch& l) { return replay_adjoint(l, Seeding::own_seeds); }
Replayed replay_consecutive_seeds(const Launch& l) { return replay_adjoint(l, Seeding::consecutive_seeds); }
Replayed replay_random_seeds(const Launch& l) { return replay_adjoint(l, Seeding::random_seeds); }
Replayed replay_sorted_starts(const Launch& l) { return replay_doubles(l, Seeding::own_seeds, replay_sorted); }
Replayed replay_forward_entries(const Launch& l) { return replay_doubles(l, Seeding::own_seeds, replay_by_entries); }
Replayed replay_forward_histories(const Launch& l) {
    return replay_doubles<ForwardTables<CsrRows>>(l, Seeding::own_seeds, replay);
}

std::string difference(const Replayed& replayed, const std::vector<Count>& published) {
    if (published.size() != replayed.counts.size()) {
        throw std::logic_error("counts of another launch");
    }
    std::vector<std::size_t> different;
    for (std::size_t place = 0; place < published.size(); place++) {
        if (!agrees(replayed, place, published[place])) different.push_back(place);
    }
    if (different.empty()) {
        return "";
    }
    const std::size_t first = different.front();
    const std::string all =
        different.size() == 1 ? "" : fmt::format("; {} of {} counts differ", different.size(), published.size());
    return fmt::format("the {} is {}, not {}{}", name_of(first), text_of(replayed, first, published[first]),
                       text_of(replayed, first, replayed.counts[first]), all);
}

}  // namespace mcls
