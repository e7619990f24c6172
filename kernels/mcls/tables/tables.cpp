#include "kernels/mcls/tables/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "bench/errors.hpp"
#include "bench/measure/statistics.hpp"
#include "bench/whole_numbers.hpp"
#include "bench/workers/workspace.hpp"
#include "kernels/mcls/shared/short_rows.cuh"

namespace mcls {
namespace {

using bench::Uint128;

constexpr std::uint64_t row_total = std::uint64_t{1} << 32;

double sum_of_sizes(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double sum, double value) { return sum + std::abs(value); });
}

// Numerators over 2^bits in proportion to the sizes of the values. The largest one takes what rounding leaves.
std::vector<Uint128> shares(std::span<const double> values, int bits) {
    if (values.empty()) {
        return {};
    }
    const double sum = sum_of_sizes(values);
    std::vector<Uint128> shares;
    Uint128 left = Uint128{1} << bits;
    for (const double value : values) {
        shares.push_back(std::max(Uint128{1}, static_cast<Uint128>(std::ldexp(std::abs(value) / sum, bits))));
        left -= shares.back();
    }
    Uint128& largest = *std::max_element(shares.begin(), shares.end());
    largest += left;
    if (largest == 0 || largest > Uint128{1} << bits) {
        throw bench::UsageError("a row of H has too many entries that are tiny beside others");
    }
    return shares;
}

std::uint64_t absorbing_numerator(double value) {
    return std::max(std::uint64_t{1}, static_cast<std::uint64_t>(std::ldexp(std::abs(value), 32)));
}

std::uint64_t sum(std::span<const std::uint64_t> numerators) {
    return std::accumulate(numerators.begin(), numerators.end(), std::uint64_t{0});
}

// What a row of B becomes: entries with their numerators, which add up to 2^32. The end of a history is the last entry.
struct Row {
    std::vector<std::uint64_t> q;
    std::vector<Move> move;
};

Row sampled(const Sparse& b, std::uint32_t number, std::vector<std::uint64_t> q) {
    const auto values = b.values_of(number);
    Row row{.q = std::move(q), .move = {}};
    for (std::size_t j = 0; j < values.size(); j++) {
        row.move.push_back({b.columns_of(number)[j], values[j] / std::ldexp(static_cast<double>(row.q[j]), -32)});
    }
    const std::uint64_t used = sum(row.q);
    if (used > row_total) {
        throw std::logic_error(fmt::format("row {} is above one", number));
    }
    if (used < row_total) {
        row.q.push_back(row_total - used);
        row.move.push_back({absorbed, 0});
    }
    return row;
}

Row sampled(const Sparse& b, std::uint32_t number, Sampling sampling) {
    return sampled(b, number, numerators(b.values_of(number), sampling));
}

// The factors of a slot's entry and of its alias. Equal pairs are stored once.
class FactorPairs {
 public:
    explicit FactorPairs(std::vector<double>& factors) : factors_(factors) {}

    /// Where the pair stands.
    std::uint32_t place_of(double own, double alias) {
        const auto key = std::pair(std::bit_cast<std::uint64_t>(own), std::bit_cast<std::uint64_t>(alias));
        const auto [place, is_new] = places_.try_emplace(key, static_cast<std::uint32_t>(factors_.size()));
        if (is_new) {
            factors_.insert(factors_.end(), {own, alias});
        }
        return place->second;
    }

 private:
    std::vector<double>& factors_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> places_;
};

}  // namespace

Aliases vose(std::vector<std::uint64_t> q, std::uint64_t capacity) {
    Aliases slots{std::vector(q.size(), capacity), std::vector<std::size_t>(q.size())};
    std::iota(slots.alias.begin(), slots.alias.end(), std::size_t{0});
    std::vector<std::size_t> small, large;
    const auto enlist = [&](std::size_t slot) { (q[slot] < capacity ? small : large).push_back(slot); };
    for (std::size_t slot = 0; slot < q.size(); slot++) {
        enlist(slot);
    }
    while (!small.empty() && !large.empty()) {
        const std::size_t filled = small.back(), donor = large.back();
        small.pop_back();
        large.pop_back();
        slots.threshold[filled] = q[filled];
        slots.alias[filled] = donor;
        q[donor] -= capacity - q[filled];
        enlist(donor);
    }
    return slots;
}

std::vector<std::uint64_t> numerators(std::span<const double> row, Sampling sampling) {
    if (sampling != Sampling::absorbing) {
        return numerators(row, 32);
    }
    std::vector<std::uint64_t> q(row.size());
    std::transform(row.begin(), row.end(), q.begin(), absorbing_numerator);
    return q;
}

std::vector<std::uint64_t> numerators(std::span<const double> row, int bits) {
    const std::vector<Uint128> wide = shares(row, bits);
    std::vector<std::uint64_t> q(wide.size());
    std::transform(wide.begin(), wide.end(), q.begin(),
                   [](Uint128 share) { return static_cast<std::uint64_t>(share); });
    return q;
}

std::optional<std::uint32_t> row_above_one(const Sparse& b) {
    for (std::uint32_t row = 0; row < b.n; row++) {
        if (sum(numerators(b.values_of(row), Sampling::absorbing)) > row_total) {
            return row;
        }
    }
    return std::nullopt;
}

void add_guide(StartTable& table) {
    const std::uint32_t bits = Starts::guide_bits(table.start.size());
    table.shift = 64 - bits;
    table.guide.resize(std::size_t{1} << bits);
    std::uint32_t place = 0;
    for (std::uint64_t leading = 0; leading < table.guide.size(); leading++) {
        while (table.last[place] < leading << table.shift) place++;
        table.guide[leading] = place;
    }
}

StartTable start_table(std::span<const double> b) {
    std::vector<std::uint32_t> states;
    std::vector<double> values;
    for (std::uint32_t i = 0; i < b.size(); i++) {
        if (b[i] != 0) {
            states.push_back(i);
            values.push_back(b[i]);
        }
    }
    const std::vector<Uint128> q = shares(values, 64);
    StartTable table = {};
    Uint128 end = 0;
    for (std::size_t i = 0; i < q.size(); i++) {
        end += q[i];
        table.last.push_back(static_cast<std::uint64_t>(end - 1));
        table.start.push_back({states[i], values[i] / std::ldexp(static_cast<double>(q[i]), -64)});
    }
    add_guide(table);
    return table;
}

CdfTable cdf_table(const Sparse& b, Sampling sampling) {
    if (b.value.size() > UINT32_MAX) {
        throw bench::UsageError(fmt::format("H has {} entries, more than the tables hold", b.value.size()));
    }
    CdfTable table{.first = {0}, .entries = {}};
    for (std::uint32_t i = 0; i < b.n; i++) {
        const Row row = sampled(b, i, sampling);
        std::uint64_t end = 0;
        for (std::size_t j = 0; j < b.values_of(i).size(); j++) {
            end += row.q[j];
            table.entries.push_back({static_cast<std::uint32_t>(end - 1), row.move[j].next, row.move[j].factor});
        }
        table.first.push_back(static_cast<std::uint32_t>(table.entries.size()));
    }
    return table;
}

namespace {

/// One long row makes all others as long.
void require_room(const Sparse& b, std::size_t width) {
    constexpr std::size_t large = std::size_t{1} << 27, wasteful = 100;
    const std::size_t slots = b.n * width, bytes = slots * sizeof(AliasSlot);
    const bool wastes = slots > large && slots / wasteful > b.value.size();
    if (slots > UINT32_MAX || wastes || bytes > bench::available_memory()) {
        throw bench::UsageError(fmt::format(
            "an alias table of {} rows of {} slots takes {:.1f} GB for {} entries; mcls_{}, a program for GPUs, has {}",
            b.n, width, static_cast<double>(bytes) / 1e9, b.value.size(), b.n <= ShortState::most_states ? "v19" : "v9",
            b.n <= ShortState::most_states ? "short rows" : "no such table"));
    }
}

/// The table of rows as row_of(number) has them.
template <class RowOf>
AliasTable alias_table(const Sparse& b, RowOf row_of) {
    std::size_t longest = 1;
    for (std::uint32_t i = 0; i < b.n; i++) {
        longest = std::max(longest, row_of(i).q.size());
    }
    const std::size_t width = std::bit_ceil(longest);
    require_room(b, width);
    AliasTable table{.n = b.n, .bits = static_cast<std::uint32_t>(std::countr_zero(width)), .slots = {}, .factors = {}};
    table.slots.reserve(b.n * width);
    FactorPairs pairs(table.factors);
    for (std::uint32_t i = 0; i < b.n; i++) {
        Row row = row_of(i);
        row.q.resize(width);
        const Aliases slots = vose(row.q, row_total / width);
        for (std::size_t slot = 0; slot < width; slot++) {
            const Move alias = row.move[slots.alias[slot]];
            const Move own = slots.threshold[slot] == 0 ? alias : row.move[slot];
            // Only the one slot of a row without others has a threshold of 2^32, and it is its own alias.
            const auto threshold =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(slots.threshold[slot], UINT32_MAX));
            table.slots.push_back({threshold, own.next, alias.next, pairs.place_of(own.factor, alias.factor)});
        }
    }
    return table;
}

}  // namespace

AliasTable alias_table(const Sparse& b, Sampling sampling) {
    return alias_table(b, [&](std::uint32_t row) { return sampled(b, row, sampling); });
}

AliasTable alias_table(const Sparse& b, std::span<const double> probability) {
    return alias_table(b, [&](std::uint32_t row) {
        return sampled(b, row, numerators(probability.subspan(b.first[row], b.first[row + 1] - b.first[row]), 32));
    });
}

int tally_bits(double histories, double largest) { return 61 - std::ilogb(histories * 4 * largest); }

}  // namespace mcls
