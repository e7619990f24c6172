// Short rows first: what slots lead to on average is B, and histories estimate the same solution.
#include "kernels/mcls/tables/short_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/shared/guided_short_rows.cuh"
#include "kernels/mcls/system/splitting.hpp"
#include "kernels/mcls/system/systems.hpp"
#include "kernels/mcls/tables/tables.hpp"

namespace {

using namespace mcls;

Sparse walked(const std::string& system) { return transposed(jacobi(built_in(system)).h); }

/// A matrix whose first row has these values in columns 0, 1, ...; the others are empty.
Sparse first_row(const std::vector<double>& values) {
    Sparse b{.n = static_cast<std::uint32_t>(values.size()), .first = {0}, .column = {}, .value = values};
    for (std::uint32_t i = 0; i < b.n; i++) {
        b.first.push_back(b.n);
        b.column.push_back(i);
    }
    return b;
}

/// What the words make of a row: the means of the factor and of its square, for each entry of x that it
/// leads to.
struct Means {
    std::map<std::uint32_t, double> first, second;

    void add(const ShortTable& table, const Move& move, double probability) {
        const std::uint32_t entry = table.entry_of[ShortState::place(move.next)];
        first[entry] += probability * move.factor;
        second[entry] += probability * move.factor * move.factor;
    }
};

/// What a second word makes of the first part of a slot.
void add_rest(const ShortTable& table, const RestSlot& rest, double factor, double probability, Means& means) {
    const double share = std::ldexp(rest.threshold, -31);
    if (share > 0) means.add(table, rest.chosen_by(0, factor), probability * share);
    if (share < 1) means.add(table, rest.chosen_by(UINT32_MAX, factor), probability * (1 - share));
}

/// In a slot the first part may have a factor of its own, or a second word chooses there. The others lead to one entry up to
/// some part, and to one from there.
Means means_of_row(const ShortTable& table, std::uint32_t row) {
    const std::uint32_t state = table.state_of[row], bits = ShortState::row_bits(state);
    const std::uint32_t part_bits = std::min(25u, 32 - bits), parts = 1u << part_bits;
    Means means;
    for (std::uint64_t slot = 0; slot < std::uint64_t{1} << bits; slot++) {
        const auto move = [&](std::uint32_t part) {
            return table.view()(state,
                                static_cast<std::uint32_t>(slot << (32 - bits)) + (part << (32 - bits - part_bits)));
        };
        std::uint32_t second = parts - 1;  // its first part
        for (std::uint32_t low = 1; low < second;) {
            const std::uint32_t middle = low + (second - low) / 2;
            if (move(middle).next == move(parts - 1).next) {
                second = middle;
            } else {
                low = middle + 1;
            }
        }
        const double part = std::ldexp(1.0, -static_cast<int>(bits + part_bits));
        if (table.rest.empty()) {
            means.add(table, move(0), part);
        } else {
            const std::uint32_t place = table.view().slot_of(state, static_cast<std::uint32_t>(slot << (32 - bits)));
            add_rest(table, table.rest[place], std::abs(move(1).factor), part, means);
        }
        if (second > 1) means.add(table, move(1), (second - 1) * part);
        means.add(table, move(parts - 1), (parts - second) * part);
    }
    return means;
}

/// Rounding to parts leaves at most one of each entry, to the largest one: so much may the second moment exceed that of exact
/// probabilities, which is the least one. A second word leaves next to nothing.
void expect_row(const Sparse& b, const ShortTable& table, std::uint32_t row) {
    SCOPED_TRACE(row);
    const auto columns = b.columns_of(row);
    const auto values = b.values_of(row);
    const Means means = means_of_row(table, row);
    double size = 0, second = 0;
    for (std::size_t j = 0; j < values.size(); j++) {
        size += std::abs(values[j]);
        ASSERT_EQ(means.first.count(columns[j]), 1u);
        EXPECT_NEAR(means.first.at(columns[j]), values[j], 1e-14 * std::abs(values[j]) + 1e-16);
        second += means.second.at(columns[j]);
    }
    EXPECT_EQ(means.first.size(), values.size());
    const double parts = std::ldexp(1, std::min(32, 25 + static_cast<int>(ShortState::row_bits(table.state_of[row]))));
    const double excess = table.rest.empty() ? std::pow(static_cast<double>(values.size()), 2) / parts : 1e-14;
    EXPECT_NEAR(second, size * size, excess * size * size);
}

TEST(ShortRows, LeadWhereBLeadsOnAverage) {
    for (const std::string system : {"tiny4", "lap2d"}) {
        const Sparse b = walked(system);
        for (const Widths widths : {Widths::as_needed, Widths::equal}) {
            const ShortTable table = short_table(b, widths);
            for (std::uint32_t row = 0; row < b.n; row += b.n / 40 + 1) expect_row(b, table, row);
        }
    }
}

TEST(ShortRows, LeadWhereLongRowsLeadOnAverage) {
    const Sparse b = walked("sp1");
    for (const Widths widths : {Widths::as_needed, Widths::equal}) {
        const ShortTable table = short_table(b, widths);
        for (const std::uint32_t group : {0u, 1u, 20u, 38u, 45u, 46u}) {
            for (const std::uint32_t cell : {0u, 1u, 280u}) expect_row(b, table, 47 * cell + group);
        }
    }
    const ShortTable with_rest = short_table(b, Widths::as_needed, /*with_rest=*/true);
    for (const std::uint32_t group : {0u, 20u, 46u}) expect_row(b, with_rest, 47 * 280 + group);
}

TEST(ShortRows, LeadWhereTinyAndNegativeEntriesLead) {
    for (const std::vector<double>& row : {std::vector{-0.5},
                                           {1e-30, -1, 1e-30},
                                           {0.3, -0.3},
                                           {0.5, 1e-9, -0.25, 1e-5, 0.125},
                                           {-1e-7, 1e-6, 1e-5, -1e-4, 1e-3, 1e-2, 0.1}}) {
        const Sparse b = first_row(row);
        expect_row(b, short_table(b), 0);
        expect_row(b, short_table(b, Widths::as_needed, /*with_rest=*/true), 0);
    }
}

TEST(ShortRows, LeadWhereRowsLeadThatUseAllBitsOfAWord) {
    std::vector<double> row;
    for (int i = 1; i <= 300; i++) row.push_back((i % 3 == 0 ? -1.0 : 1.0) / i);
    const Sparse b = first_row(row);
    expect_row(b, short_table(b), 0);
    expect_row(b, short_table(b, Widths::as_needed, /*with_rest=*/true), 0);
}

/// In 20,000 histories, by five standard deviations of their number.
TEST(ShortRows, LetASecondWordChooseInAFirstPart) {
    const ShortTable table = short_table(first_row({0.5, 0.3, -0.2}), Widths::as_needed, /*with_rest=*/true);
    GuidedShortRows method = {};
    method.rows = table.view();
    method.rest = table.rest.data();
    const PhiloxKeys keys = keys_of(1);
    const std::uint32_t state = table.state_of[0];
    for (std::uint32_t slot = 0; slot < 4; slot++) {
        SCOPED_TRACE(slot);
        const RestSlot& rest = table.rest[table.view().slot_of(state, slot << 30)];
        constexpr std::uint32_t histories = 20'000;
        std::uint32_t below = 0;
        for (std::uint32_t h = 0; h < histories; h++) {
            const Move move = method.move(state, slot << 30, keys, {0, h});
            EXPECT_DOUBLE_EQ(std::abs(move.factor), 1);
            below += move.next == (rest.next & ShortState::mask) && rest.next != rest.alias ? 1 : 0;
        }
        const double share = rest.next == rest.alias ? 0 : std::ldexp(rest.threshold, -31);
        EXPECT_NEAR(below, share * histories, 5 * std::sqrt(share * (1 - share) * histories));
    }
}

TEST(ShortRows, AreAsWideAsTheyNeedAndInTheOrderOfTheirSizes) {
    const Sparse b = walked("sp1");
    const ShortTable table = short_table(b);
    std::size_t size = 0, slots = 0;
    for (const std::uint32_t row : table.entry_of) {
        const std::size_t entries = b.values_of(row).size(),
                          width = std::size_t{1} << ShortState::row_bits(table.state_of[row]);
        ASSERT_LE(size, entries);
        ASSERT_LE(entries, width);
        ASSERT_TRUE(width < 2 * entries);
        size = entries;
        slots += width;
    }
    EXPECT_EQ(table.slots.size(), slots);
    EXPECT_EQ(size, 50u);  // the longest row
}

TEST(ShortRows, AreAllAsWideAsTheLongestWithEqualWidths) {
    const Sparse b = walked("sp1");
    const ShortTable table = short_table(b, Widths::equal);
    for (const std::uint32_t state : table.state_of) ASSERT_EQ(ShortState::row_bits(state), 6u);  // of 50 entries
    EXPECT_EQ(table.slots.size(), std::size_t{64} * b.n);
}

TEST(ShortRows, EndAHistoryInAnEmptyRow) {
    for (const Widths widths : {Widths::as_needed, Widths::equal}) {
        const ShortTable table = short_table(first_row({0.5, 0.3, 0.2}), widths);
        for (const std::uint32_t row : {1u, 2u}) {
            for (const std::uint32_t u : {0u, 1u << 31, UINT32_MAX}) {
                EXPECT_EQ(table.view()(table.state_of[row], u).next, absorbed);
            }
        }
    }
}

// Expected values and variances of ten steps on tiny4 were computed with numpy from the splitting.
TEST(ShortRows, HaveTheMeanOfTheTruncatedSeries) {
    const Splitting system = jacobi(built_in("tiny4"));
    const ShortTable table = short_table(transposed(system.h));
    StartTable starts = start_table(system.b);
    for (Start& start : starts.start) start.state = table.state_of[start.state];
    const Adjoint<ShortRows> method = {starts.view(), table.view(), {10, 0}, 0x1p40};
    constexpr double histories = 100'000;
    const Outcome outcome = replay(method, {1234, 0, 0, static_cast<std::uint64_t>(histories)});
    EXPECT_EQ(outcome.transitions, 1'000'000u);
    const double mean[] = {0.1074617, -0.07164202, -0.23283465, 0.99701504};
    const double variance[] = {0.56864767, 0.27636898, 0.9269828, 0.97216041};
    for (std::size_t j = 0; j < 4; j++) {
        const double found = std::ldexp(static_cast<double>(outcome.tallies[j]), -40) / histories;
        EXPECT_NEAR(found, mean[j], 5 * std::sqrt(variance[j] / histories)) << j;
    }
}

TEST(ShortRows, RefuseMoreStatesThanASlotHolds) {
    const Sparse b = {.n = 32'768, .first = std::vector<std::uint64_t>(32'769), .column = {}, .value = {}};
    try {
        short_table(b);
        ADD_FAILURE();
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(), "short rows first needs at most 32767 states, not 32768; see v12");
    }
}

}  // namespace
