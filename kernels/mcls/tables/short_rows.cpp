#include "kernels/mcls/tables/short_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/tables/tables.hpp"

namespace mcls {
namespace {

/// The bits of the slots of each row.
std::vector<std::uint32_t> bits_of_rows(const Sparse& b, Widths widths) {
    std::vector<std::uint32_t> bits;
    for (std::uint32_t row = 0; row < b.n; row++) {
        const auto size = std::max(std::size_t{1}, b.values_of(row).size());
        bits.push_back(static_cast<std::uint32_t>(std::countr_zero(std::bit_ceil(size))));
    }
    if (widths == Widths::equal) {
        std::fill(bits.begin(), bits.end(), *std::max_element(bits.begin(), bits.end()));
    }
    return bits;
}

/// The rows by their sizes; equal ones stay in their order.
std::vector<std::uint32_t> shortest_first(const Sparse& b) {
    std::vector<std::uint32_t> rows(b.n);
    std::iota(rows.begin(), rows.end(), 0u);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return b.values_of(i).size() < b.values_of(j).size(); });
    return rows;
}

/// A row of B with its slots.
struct Row {
    std::span<const double> values;
    std::vector<std::size_t> first, second;  // entries of each slot
    std::vector<std::uint32_t> end;          // of the first one, in parts
    std::uint32_t parts;                     // of a slot
};

std::uint32_t bits_of_all(std::uint32_t bits) { return std::min(bits + ShortSlot::end_bits, 32u); }

/// The row whose entries have `q` parts in all of its slots, without the first part of each if that is apart.
Row slots_of_row(std::span<const double> values, std::uint32_t bits, std::vector<std::uint64_t> q, bool first_apart) {
    const std::uint32_t parts = 1u << (bits_of_all(bits) - bits), apart = first_apart ? 1 : 0;
    q.resize(std::size_t{1} << bits);
    const Aliases aliases = vose(std::move(q), parts - apart);
    Row row = {values, aliases.alias, aliases.alias, std::vector(aliases.alias.size(), parts - 1), parts};
    for (std::size_t slot = 0; slot < row.first.size(); slot++) {
        const auto end = static_cast<std::uint32_t>(aliases.threshold[slot]) + apart;
        if (end > apart && end < parts) {
            row.first[slot] = slot;
            row.end[slot] = end;
        }
    }
    return row;
}

/// What entries have of the first parts of all slots, in units of 2^-31 parts, and how many of the other parts. So all of their
/// shares are multiples of 2^-31 parts.
struct TwoWords {
    std::vector<std::uint64_t> rest, whole;
};

TwoWords two_words(std::span<const double> values, std::uint32_t bits) {
    constexpr std::uint64_t unit = std::uint64_t{1} << RestSlot::bits;
    TwoWords shares{.rest = numerators(values, static_cast<int>(bits_of_all(bits) + RestSlot::bits)), .whole = {}};
    std::uint64_t missing = unit << bits;  // the first parts
    for (std::uint64_t& share : shares.rest) {
        shares.whole.push_back(share / unit);
        share %= unit;
        missing -= share;
    }
    const auto largest = std::max_element(shares.whole.begin(), shares.whole.end()) - shares.whole.begin();
    shares.whole[static_cast<std::size_t>(largest)] -= missing / unit;
    shares.rest[static_cast<std::size_t>(largest)] += missing;
    return shares;
}

/// The factor of the first parts of the slots of each entry, by which all parts of an entry together are as in B.
std::vector<double> first_factors(const Row& row, double factor) {
    std::vector<double> first_parts(row.values.size()), others(row.values.size());
    for (std::size_t slot = 0; slot < row.first.size(); slot++) {
        first_parts[row.first[slot]]++;
        others[row.first[slot]] += row.end[slot] - 1;
        others[row.second[slot]] += row.parts - row.end[slot];
    }
    const double all = static_cast<double>(row.first.size()) * row.parts;
    std::vector<double> factors;
    for (std::size_t entry = 0; entry < row.values.size(); entry++) {
        const double missing = std::abs(row.values[entry]) * all - others[entry] * factor;
        factors.push_back(std::copysign(1, row.values[entry]) * missing / first_parts[entry]);
    }
    return factors;
}

void add_rest(const Row& row, const Sparse& b, std::uint32_t number, std::vector<std::uint64_t> rest,
              ShortTable& table) {
    rest.resize(row.first.size());
    const Aliases aliases = vose(std::move(rest), std::uint64_t{1} << RestSlot::bits);
    const auto state = [&](std::size_t entry) {
        return table.state_of[b.columns_of(number)[entry]] | (std::signbit(row.values[entry]) ? RestSlot::negative : 0);
    };
    for (std::size_t slot = 0; slot < row.first.size(); slot++) {
        const auto threshold = static_cast<std::uint32_t>(aliases.threshold[slot]);
        const std::uint32_t alias = state(aliases.alias[slot]);
        table.rest.push_back({threshold, threshold == 0 ? alias : state(slot), alias});
    }
}

void add_row(const Sparse& b, std::uint32_t number, bool with_rest, ShortTable& table) {
    const std::uint32_t bits = ShortState::row_bits(table.state_of[number]);
    if (b.values_of(number).empty()) {
        const auto end = ShortSlot::of(ShortState::absorbed, 1, ShortState::absorbed, false, 0);
        table.slots.insert(table.slots.end(), std::size_t{1} << bits, end);
        if (with_rest) {
            table.rest.insert(table.rest.end(), std::size_t{1} << bits,
                              {0, ShortState::absorbed, ShortState::absorbed});
        } else {
            table.first_factors.insert(table.first_factors.end(), std::size_t{1} << bits, 0.0);
        }
        return;
    }
    const std::span<const double> values = b.values_of(number);
    TwoWords shares = with_rest
                          ? two_words(values, bits)
                          : TwoWords{.rest = {}, .whole = numerators(values, static_cast<int>(bits_of_all(bits)))};
    const Row row = slots_of_row(values, bits, std::move(shares.whole), with_rest);
    const double factor = std::accumulate(row.values.begin(), row.values.end(), 0.0,
                                          [](double sum, double value) { return sum + std::abs(value); });
    if (with_rest) add_rest(row, b, number, std::move(shares.rest), table);
    const std::vector<double> firsts = with_rest ? std::vector<double>{} : first_factors(row, factor);
    const auto state = [&](std::size_t entry) { return table.state_of[b.columns_of(number)[entry]]; };
    for (std::size_t slot = 0; slot < row.first.size(); slot++) {
        const std::size_t first = row.first[slot], second = row.second[slot];
        const bool other_sign = std::signbit(row.values[first]) != std::signbit(row.values[second]);
        const std::uint32_t end = row.end[slot] << (ShortSlot::end_bits - std::countr_zero(row.parts));
        table.slots.push_back(
            ShortSlot::of(state(first), end, state(second), other_sign, std::copysign(factor, row.values[first])));
        if (!with_rest) table.first_factors.push_back(firsts[first]);
    }
}

}  // namespace

ShortTable short_table(const Sparse& b, Widths widths, bool with_rest) {
    if (b.n > ShortState::most_states) {
        throw bench::UsageError(
            fmt::format("short rows first needs at most {} states, not {}; see v12", ShortState::most_states, b.n));
    }
    ShortTable table{.slots = {},
                     .first_factors = {},
                     .rest = {},
                     .base = {},
                     .entry_of = shortest_first(b),
                     .state_of = std::vector<std::uint32_t>(b.n)};
    const std::vector<std::uint32_t> bits_of = bits_of_rows(b, widths);
    std::uint32_t size = 0;
    for (std::uint32_t place = 0; place < b.n; place++) {
        const std::uint32_t row = table.entry_of[place], bits = bits_of[row];
        table.state_of[row] = ShortState::of(place, bits);
        table.base[bits] = size - (place << bits);  // the same for all rows of so many bits
        size += 1u << bits;
    }
    table.slots.reserve(size);
    with_rest ? table.rest.reserve(size) : table.first_factors.reserve(size);
    for (const std::uint32_t row : table.entry_of) {
        add_row(b, row, with_rest, table);
    }
    return table;
}

}  // namespace mcls
