// Tables give each start and each transition its exact probability.
#include "kernels/mcls/tables/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kernels/mcls/system/splitting.hpp"
#include "tests/host/test_data.hpp"

namespace {

using mcls::Sampling;
using nlohmann::json;

constexpr std::uint64_t two_to_32 = std::uint64_t{1} << 32;

double from_hex(const json& text) { return std::stod(text.get<std::string>()); }

mcls::Sparse walked(const std::string& system) { return transposed(jacobi(mcls::built_in(system)).h); }

/// A matrix of one row with these values in columns 0, 1, ...
mcls::Sparse one_row(const std::vector<double>& values) {
    std::vector<std::uint32_t> columns(values.size());
    std::iota(columns.begin(), columns.end(), 0u);
    return {.n = 1, .first = {0, values.size()}, .column = columns, .value = values};
}

/// How many of the 2^32 words choose each entry of a row, and its end last.
std::vector<std::uint64_t> words_of_entries(const mcls::AliasTable& table, const mcls::Sparse& b, std::uint32_t row) {
    const auto columns = b.columns_of(row);
    const auto place = [&](std::uint32_t state) {  // absorbed is above all columns
        return static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), state) - columns.begin());
    };
    std::vector<std::uint64_t> words(columns.size() + 1);
    const std::uint64_t capacity = two_to_32 >> table.bits;
    for (std::size_t k = 0; k < std::size_t{1} << table.bits; k++) {
        const mcls::AliasSlot& slot = table.slots[(std::size_t{row} << table.bits) + k];
        words[place(slot.next)] += slot.threshold;
        words[place(slot.alias)] += capacity - slot.threshold;
    }
    return words;
}

/// Rows whose alias slots have other probabilities than the numerators.
unsigned wrong_rows(const mcls::Sparse& b, Sampling sampling) {
    const mcls::AliasTable table = alias_table(b, sampling);
    unsigned wrong = 0;
    for (std::uint32_t row = 0; row < b.n; row++) {
        std::vector<std::uint64_t> words = numerators(b.values_of(row), sampling);
        words.push_back(two_to_32 - std::accumulate(words.begin(), words.end(), std::uint64_t{0}));
        wrong += words_of_entries(table, b, row) == words ? 0 : 1;
    }
    return wrong;
}

TEST(Numerators, OfTheStartAreThoseOfTheReference) {
    for (const json& c : test_cases("golden_walks.json", "starts")) {
        const auto table = mcls::start_table(jacobi(mcls::built_in(c.at("system").get<std::string>())).b);
        ASSERT_EQ(table.start.size(), c.at("states").size());
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < table.start.size(); i++) {
            EXPECT_EQ(table.start[i].state, c.at("states")[i]);
            EXPECT_EQ(table.start[i].weight, from_hex(c.at("weights")[i]));
            EXPECT_EQ(table.last[i] - begin + 1, c.at("numerators")[i].get<std::uint64_t>());
            begin = table.last[i] + 1;
        }
        EXPECT_EQ(begin, 0u) << "numerators add up to 2^64";
    }
}

TEST(Numerators, FactorsAndAliasesOfARowAreThoseOfTheReference) {
    for (const json& c : test_cases("golden_walks.json", "rows")) {
        const mcls::Sparse b = walked(c.at("system"));
        const auto row = c.at("row").get<std::uint32_t>();
        EXPECT_EQ(json(numerators(b.values_of(row), Sampling::almost_optimal)), c.at("numerators"));
        const mcls::CdfTable cdf = cdf_table(b, Sampling::almost_optimal);
        for (std::size_t j = 0; j < c.at("next").size(); j++) {
            EXPECT_EQ(cdf.entries[cdf.first[row] + j].next, c.at("next")[j]);
            EXPECT_EQ(cdf.entries[cdf.first[row] + j].factor, from_hex(c.at("factors")[j]));
        }
        const mcls::AliasTable alias = alias_table(b, Sampling::almost_optimal);
        ASSERT_EQ(c.at("aliases").size(), std::size_t{1} << alias.bits);
        for (std::size_t k = 0; k < c.at("aliases").size(); k++) {
            const mcls::AliasSlot& slot = alias.slots[(std::size_t{row} << alias.bits) + k];
            const std::size_t other = c.at("aliases")[k];
            EXPECT_EQ(slot.threshold, c.at("thresholds")[k]);
            EXPECT_EQ(slot.next, c.at("next")[k]);
            EXPECT_EQ(slot.alias, c.at("next")[other]);
            EXPECT_EQ(alias.factors[slot.factor], from_hex(c.at("factors")[k]));
            EXPECT_EQ(alias.factors[slot.factor + 1], from_hex(c.at("factors")[other]));
        }
    }
}

TEST(Numerators, AreAtLeastOne) {
    const std::vector<double> row = {1e-30, -1, 1e-30};
    EXPECT_EQ(numerators(row, Sampling::almost_optimal), (std::vector<std::uint64_t>{1, two_to_32 - 2, 1}));
    EXPECT_EQ(numerators(row, Sampling::absorbing), (std::vector<std::uint64_t>{1, two_to_32, 1}));
}

TEST(Numerators, OfARowWhoseRestIsNotOfOneEntry) {
    // 2^32 = 3 * 1431655765 + 1
    EXPECT_EQ(numerators(std::vector{0.2, -0.2, 0.2}, Sampling::almost_optimal),
              (std::vector<std::uint64_t>{1431655766, 1431655765, 1431655765}));
}

TEST(AliasTables, HaveTheNumeratorsOfEveryRow) {
    for (const std::string system : mcls::system_names()) {
        EXPECT_EQ(wrong_rows(walked(system), Sampling::almost_optimal), 0u) << system;
    }
}

TEST(AliasTables, HaveTheNumeratorsOfForwardRows) {
    EXPECT_EQ(wrong_rows(jacobi(mcls::built_in("sp1")).h, Sampling::almost_optimal), 0u);
}

TEST(AliasTables, HaveTheNumeratorsOfAbsorbingRows) {
    for (const std::string system : {"tiny4", "lap2d", "ad3d"}) {
        EXPECT_EQ(wrong_rows(walked(system), Sampling::absorbing), 0u) << system;
    }
}

TEST(AliasTables, HaveGivenProbabilitiesAndTheFactorsForThem) {
    const mcls::Sparse b = one_row({0.5, -0.25, 0.125});
    const mcls::AliasTable table = alias_table(b, std::vector{0.25, 0.125, 0.625});
    EXPECT_EQ(words_of_entries(table, b, 0), (std::vector<std::uint64_t>{1u << 30, 1u << 29, 5u << 29, 0}));
    for (const std::uint32_t u : {0u, 1u << 30, 1u << 31, UINT32_MAX}) {
        const mcls::Move move = table.view()(0, u);
        EXPECT_EQ(move.factor, (std::vector<double>{2.0, -2.0, 0.2})[move.next]);
    }
}

TEST(AliasTables, HaveOneSlotForRowsOfOneEntry) {
    const mcls::AliasTable table = alias_table(one_row({-0.5}), Sampling::almost_optimal);
    ASSERT_EQ(table.bits, 0u);
    for (const std::uint32_t u : {0u, 1u << 31, UINT32_MAX}) {
        const mcls::Move move = table.view()(0, u);
        EXPECT_EQ(move.next, 0u);
        EXPECT_EQ(move.factor, -0.5);
    }
}

TEST(Tables, EndAHistoryInAnEmptyRow) {
    const mcls::Sparse empty = {.n = 1, .first = {0, 0}, .column = {}, .value = {}};
    for (const std::uint32_t u : {0u, UINT32_MAX}) {
        EXPECT_EQ(cdf_table(empty, Sampling::almost_optimal).view()(0, u).next, mcls::absorbed);
        EXPECT_EQ(alias_table(empty, Sampling::almost_optimal).view()(0, u).next, mcls::absorbed);
    }
}

TEST(Tables, ChooseEachEntryFromItsFirstWordToItsLast) {
    const mcls::CdfTable table = cdf_table(one_row({0.25, -0.5}), Sampling::absorbing);
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> next = {
        {0, 0}, {(1u << 30) - 1, 0}, {1u << 30, 1}, {(3u << 30) - 1, 1}, {3u << 30, mcls::absorbed}};
    for (const auto& [u, state] : next) {
        EXPECT_EQ(table.view()(0, u).next, state) << u;
    }
}

TEST(Tables, FindTheRowThatCannotAbsorb) {
    for (const std::string system : {"tiny4", "lap2d"}) {
        EXPECT_FALSE(row_above_one(walked(system))) << system;
    }
    // Group 0 of the first cell with four neighbours gives 1 - f_0 to the groups below, the last of which divides by 0.42969.
    EXPECT_EQ(row_above_one(walked("sp1")), 47u * 18);
    EXPECT_EQ(row_above_one(one_row({0.75, -0.5})), 0u);
}

TEST(TallyBits, AreTheMostThatLeaveRoom) {
    for (const auto& [histories, largest] : {std::pair(1e7, 70.6), {1000.0, 0.997}, {1.0, 1.0}, {1e9, 4764.0}}) {
        const int bits = mcls::tally_bits(histories, largest);
        EXPECT_LT(std::ldexp(histories * 4 * largest, bits), 0x1p62);
        EXPECT_GE(std::ldexp(histories * 4 * largest, bits + 1), 0x1p62);
    }
}

}  // namespace
