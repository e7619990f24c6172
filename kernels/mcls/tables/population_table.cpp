#include "kernels/mcls/tables/population_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "bench/errors.hpp"
#include "bench/whole_numbers.hpp"
#include "kernels/mcls/tables/tables.hpp"

namespace mcls {
namespace {

using Numerators = std::vector<std::uint64_t>;  // over 2^32, ascending

constexpr std::uint64_t one = std::uint64_t{1} << Forks::digits;

/// The numerators of the rows of B.
class Rows {
 public:
    explicit Rows(const Walks& walks) : first_(walks.first), q_(numerators(walks.value, Sampling::absorbing)) {}

    std::span<const std::uint64_t> operator[](std::uint32_t state) const {
        return std::span(q_).subspan(first_[state], first_[state + 1] - first_[state]);
    }

 private:
    const std::vector<std::uint64_t>& first_;
    std::vector<std::uint64_t> q_;
};

Numerators sorted(std::span<const std::uint64_t> row) {
    Numerators q(row.begin(), row.end());
    std::sort(q.begin(), q.end());
    return q;
}

std::uint64_t sum(const Numerators& q) { return std::accumulate(q.begin(), q.end(), std::uint64_t{0}); }

/// Slots of equal numerators, 4, 2 or 1 of them, and at last that of the end of histories.
struct Kind {
    std::uint64_t q;  // of all
    unsigned log2_slots;
};

std::vector<Kind> kinds_of(const Numerators& q) {
    std::vector<Kind> kinds;
    for (std::size_t slot = 0; slot < q.size();) {
        const auto alike =
            std::upper_bound(q.begin(), q.end(), q[slot]) - q.begin() - static_cast<std::ptrdiff_t>(slot);
        const unsigned log2_slots = alike >= 4 ? 2 : alike >= 2 ? 1 : 0;
        kinds.push_back({q[slot] << log2_slots, log2_slots});
        slot += std::size_t{1} << log2_slots;
    }
    if (const std::uint64_t rest = one - sum(q); rest > 0) kinds.push_back({rest, 0});
    return kinds;
}

/// A digit of a kind takes one of the children of its depth; the others are the nodes of the next one.
void add_nodes(Forks& forks, const std::vector<Kind>& kinds) {
    unsigned open = std::all_of(kinds.begin(), kinds.end(), [](const Kind& kind) { return kind.q < one; }) ? 1 : 0;
    for (unsigned digit = Forks::digits; open > 0;) {
        digit--;
        std::vector<std::uint8_t> children;
        for (std::uint8_t kind = 0; kind < kinds.size(); kind++) {
            if (kinds[kind].q >> digit & 1) children.push_back(kind);
        }
        const auto leaves = static_cast<unsigned>(children.size());
        children.resize(std::size_t{2} * open, Forks::node);
        for (unsigned i = 0; i < open; i++) forks.child[forks.nodes++] = {children[2 * i], children[2 * i + 1]};
        open = 2 * open - leaves;
    }
}

Forks forks_with(const Numerators& q) {
    const std::vector<Kind> kinds = kinds_of(q);
    Forks forks = {};
    for (std::uint8_t slot = 0; const Kind& kind : kinds) {
        forks.first[forks.kinds] = slot;
        forks.log2_slots[forks.kinds++] = static_cast<std::uint8_t>(kind.log2_slots);
        slot = static_cast<std::uint8_t>(slot + (1u << kind.log2_slots));
    }
    add_nodes(forks, kinds);
    return forks;
}

std::uint32_t slots_of(const Numerators& q) { return static_cast<std::uint32_t>(q.size()) + (sum(q) < one ? 1 : 0); }

/// Trees for all rows. A row without some of the entries of another one has its tree: what they would take, ends.
class Trees {
 public:
    Trees(const Rows& rows, std::uint32_t n) {
        std::map<std::size_t, std::set<Numerators>, std::greater<>> by_size;
        for (std::uint32_t state = 0; state < n; state++) {
            Numerators q = sorted(rows[state]);
            if (slots_of(q) > Forks::most_slots) refuse_row(slots_of(q));
            by_size[q.size()].insert(std::move(q));
            if (by_size.begin()->second.size() > most) refuse_rows();
        }
        for (const auto& [size, of_size] : by_size) {
            for (const Numerators& q : of_size) numbers_.emplace(q, number_for(q));
        }
    }

    std::uint32_t number_of(const Numerators& q) const { return numbers_.at(q); }
    const Numerators& numerators(std::uint32_t number) const { return q_[number]; }
    std::uint32_t slots() const {
        return std::transform_reduce(
            q_.begin(), q_.end(), 0u, [](auto a, auto b) { return std::max(a, b); }, slots_of);
    }
    std::vector<Forks> forks() const {
        std::vector<Forks> forks;
        std::transform(q_.begin(), q_.end(), std::back_inserter(forks), forks_with);
        return forks;
    }

 private:
    static constexpr std::size_t most = 256;

    [[noreturn]] static void refuse_row(std::uint32_t slots) {
        throw bench::UsageError(fmt::format(
            "counted walkers need columns of H with at most {} entries, the end of histories among them, not {}; "
            "see v13",
            Forks::most_slots, slots));
    }
    [[noreturn]] static void refuse_rows() {
        throw bench::UsageError(
            fmt::format("counted walkers need columns of H of at most {} different sizes; see v13", most));
    }

    std::uint32_t number_for(const Numerators& q) {
        const auto has_all = [&](const Numerators& tree) {
            return std::includes(tree.begin(), tree.end(), q.begin(), q.end());
        };
        const auto found = std::find_if(q_.begin(), q_.end(), has_all);
        if (found != q_.end()) return static_cast<std::uint32_t>(found - q_.begin());
        if (q_.size() == most) refuse_rows();
        q_.push_back(q);
        return static_cast<std::uint32_t>(q_.size() - 1);
    }

    std::vector<Numerators> q_;  // of each tree
    std::map<Numerators, std::uint32_t> numbers_;
};

/// How often walkers visit each state, in whole numbers: the same ones on every machine.
std::vector<std::uint64_t> visits_of_states(const Walks& walks, const Rows& rows) {
    constexpr unsigned transitions = 200;  // of 2^62 walkers; what they visit later would change little
    std::vector<std::uint64_t> walkers(walks.n), visits(walks.n);
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < walks.starts.start.size(); first = walks.starts.last[i++] + 1) {
        walkers[walks.starts.start[i].state] = (walks.starts.last[i] - first) >> 2;
    }
    const std::uint64_t most_at_first = *std::max_element(walkers.begin(), walkers.end());
    for (unsigned i = 0; i < transitions; i++) {
        std::vector<std::uint64_t> moved(walks.n);
        for (std::uint32_t state = 0; state < walks.n; state++) {
            visits[state] += walkers[state] / transitions;
            std::uint64_t entry = walks.first[state];
            for (const std::uint64_t q : rows[state]) {
                moved[walks.column[entry++]] += static_cast<std::uint64_t>(bench::Uint128{walkers[state]} * q >> 32);
            }
        }
        walkers = std::move(moved);
        if (*std::max_element(walkers.begin(), walkers.end()) < most_at_first >> 8) break;
    }
    return visits;
}

}  // namespace

PopulationTable population_table(const Walks& walks) {
    const Rows rows(walks);
    const Trees trees(rows, walks.n);
    PopulationTable table;
    table.slots = trees.slots();
    table.forks = trees.forks();
    table.state.resize(walks.n);
    const std::vector<std::uint64_t> visits = visits_of_states(walks, rows);
    std::iota(table.state.begin(), table.state.end(), 0u);
    std::stable_sort(table.state.begin(), table.state.end(), [&](auto a, auto b) { return visits[a] > visits[b]; });

    std::vector<std::uint32_t> start_of(walks.n, CountedStarts::no_start), place_of(walks.n);
    for (std::uint32_t i = 0; i < walks.starts.start.size(); i++) start_of[walks.starts.start[i].state] = i;
    for (std::uint32_t place = 0; place < walks.n; place++) place_of[table.state[place]] = place;
    table.next.assign(std::size_t{walks.n} * table.slots, Population::gone);
    for (std::uint32_t place = 0; place < walks.n; place++) {
        const std::uint32_t state = table.state[place];
        const std::span<const std::uint64_t> q = rows[state];
        const std::uint32_t number = trees.number_of(sorted(q));
        const Numerators& slots = trees.numerators(number);
        std::vector<bool> taken(slots.size());
        for (std::size_t i = 0; i < q.size(); i++) {
            auto slot = static_cast<std::size_t>(std::lower_bound(slots.begin(), slots.end(), q[i]) - slots.begin());
            while (taken[slot]) slot++;
            taken[slot] = true;
            const std::uint64_t entry = walks.first[state] + i;
            table.next[std::size_t{place} * table.slots + slot] =
                place_of[walks.column[entry]] | (walks.value[entry] < 0 ? Population::turned : 0);
        }
        table.forks_of.push_back(static_cast<std::uint8_t>(number));
        table.start.push_back(start_of[state]);
    }
    return table;
}

}  // namespace mcls
