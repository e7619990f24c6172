#include "kernels/mcls/replay/replays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>
#include <typeindex>
#include <utility>

#include "kernels/mcls/replay/counted_paths.hpp"
#include "kernels/mcls/replay/double_replay.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/tables/double_tables.hpp"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls {

class ReplayTables {
 public:
    /// make(), from the first call with a Table.
    template <class Table, class Make>
    const Table& made(Make make) {
        const std::lock_guard lock(making_);
        auto& table = tables_[typeid(Table)];
        if (!table) table = std::make_shared<const Table>(make());
        return *static_cast<const Table*>(table.get());
    }

 private:
    std::mutex making_;
    std::map<std::type_index, std::shared_ptr<const void>> tables_;
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

/// Calls use(table) with the table of the Walks that make() makes, or made before.
template <class Make, class Use>
Replayed with_table(const Walks& walks, Make make, Use use) {
    using Table = decltype(make());
    return walks.replay_tables ? use(walks.replay_tables->made<Table>(make)) : use(make());
}

/// The histories of another length have another table.
template <std::uint32_t length>
struct SlotTableOf {
    SlotTable table;
};

template <std::uint32_t length>
Replayed replay_on_slots(const Launch& l, const SlotTable& table) {
    const Walks& walks = walks_of(l.problem);
    const auto method = slot_walks<length>(walks, table.view());
    Outcome outcome = replay(method, histories_of(l));
    const std::vector<std::int64_t> cells = std::exchange(outcome.tallies, std::vector<std::int64_t>(walks.n));
    for (std::uint32_t cell = 0; cell < cells.size(); cell++) {
        method.visits_of(cell / table.cells, cell % table.cells, cells[cell],
                         [&](std::uint32_t entry, std::int64_t amount) { outcome.tallies[entry] += amount; });
    }
    return replayed(outcome);
}

template <std::uint32_t length>
Replayed replay_slots(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    return with_table(
        walks, [&] { return SlotTableOf<length>{slot_table(walks, length)}; },
        [&](const SlotTableOf<length>& of_length) { return replay_on_slots<length>(l, of_length.table); });
}

using ReplayOfAdjoint = DoubleOutcome (*)(const AdjointTables<CsrRows>&, const DoubleLaunch&);
using ReplayOfForward = DoubleOutcome (*)(const ForwardTables<CsrRows>&, const DoubleLaunch&);

struct DoubleTables {
    CsrTable rows;
    DoubleStartTable starts;  // of adjoint histories
};

DoubleTables double_tables(const Walks& walks) {
    CsrTable rows = csr_table({walks.n, walks.first, walks.column, walks.value});
    return {std::move(rows), walks.histories_of_entry > 0 ? DoubleStartTable{} : double_start_table(walks.b)};
}

DoubleLaunch with_seeding(Seeding seeding, const Launch& l) {
    return {seeding, l.seed, l.index, total_threads(l.shape), walks_of(l.problem).histories};
}

Replayed replay_adjoint(const Launch& l, Seeding seeding, ReplayOfAdjoint replay) {
    const Walks& walks = walks_of(l.problem);
    return with_table(
        walks, [&] { return double_tables(walks); },
        [&](const DoubleTables& tables) {
            return replayed(replay({tables.starts.view(), tables.rows.view(), walks.limits}, with_seeding(seeding, l)));
        });
}

Replayed replay_forward(const Launch& l, ReplayOfForward replay) {
    const Walks& walks = walks_of(l.problem);
    return with_table(
        walks, [&] { return double_tables(walks); },
        [&](const DoubleTables& tables) {
            return replayed(replay({walks.b.data(), tables.rows.view(), walks.limits, walks.histories_of_entry},
                                   with_seeding(Seeding::own_seeds, l)));
        });
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

Replayed replay_cdf(const Launch& l) { return replayed(replay(walks_of(l.problem).adjoint_cdf(), histories_of(l))); }

Replayed replay_alias(const Launch& l) {
    return replayed(replay(walks_of(l.problem).adjoint_alias(), histories_of(l)));
}

Replayed replay_forward_alias(const Launch& l) {
    return replayed(replay(walks_of(l.problem).forward_alias(), histories_of(l)));
}

Replayed replay_short_rows(const Launch& l) {
    return replayed(replay(walks_of(l.problem).adjoint_short_rows(), histories_of(l)));
}

Replayed replay_guided_short_rows(const Launch& l) {
    return replayed(replay(walks_of(l.problem).guided_short_rows(), histories_of(l)));
}

Replayed replay_stratified_alias(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    const Stratified<AliasRows> method = {walks.starts.view(), Strata::of(walks.histories), walks.alias.view(),
                                          walks.limits, walks.scale};
    return replayed(replay(method, histories_of(l)));
}

Replayed replay_quarter_paths(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    return with_table(
        walks, [&] { return counted_paths::readable_table(walks); },
        [&](const QuarterPathTable& table) {
            const QuarterPaths method = table.view(walks);
            return Replayed{counted_paths::counts_of(
                method, counted_paths::walked(counted_paths::clones().front(), method, keys_of(l.seed),
                                              static_cast<std::uint32_t>(l.index), walks.histories, replay_threads()))};
        });
}

Replayed replay_quarter_paths_one_by_one(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    const QuarterPathTable table = quarter_path_table(walks);
    return replayed(replay(table.view(walks), histories_of(l)));
}

Replayed replay_equal_slots(const Launch& l) { return replay_slots<1>(l); }

Replayed replay_paths(const Launch& l) {
    return length_of_paths(walks_of(l.problem)) == 3 ? replay_slots<3>(l) : replay_slots<2>(l);
}

Replayed replay_subsequences(const Launch& l) { return replay_adjoint(l, Seeding::subsequences, replay); }
Replayed replay_own_seeds(const Launch& l) { return replay_adjoint(l, Seeding::own_seeds, replay); }
Replayed replay_consecutive_seeds(const Launch& l) { return replay_adjoint(l, Seeding::consecutive_seeds, replay); }
Replayed replay_random_seeds(const Launch& l) { return replay_adjoint(l, Seeding::random_seeds, replay); }
Replayed replay_sorted_starts(const Launch& l) { return replay_adjoint(l, Seeding::own_seeds, replay_sorted); }
Replayed replay_forward_histories(const Launch& l) { return replay_forward(l, replay); }
Replayed replay_forward_entries(const Launch& l) { return replay_forward(l, replay_by_entries); }

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
