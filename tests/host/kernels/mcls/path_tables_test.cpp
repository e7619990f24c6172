// Tables of paths: what they lead to on average are powers of B.
#include "kernels/mcls/tables/path_tables.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/analysis/histories.hpp"
#include "tests/host/kernels/mcls/walks_on.hpp"

namespace {

using namespace mcls;

using Row = std::map<std::uint32_t, double>;

/// Row `state` of B^power.
Row row_of_power(const Walks& walks, std::uint32_t state, std::uint32_t power) {
    Row row = {{state, 1}};
    for (std::uint32_t i = 0; i < power; i++) {
        Row next;
        for (const auto& [at, value] : row) {
            for (std::uint64_t place = walks.first[at]; place < walks.first[at + 1]; place++) {
                next[walks.column[place]] += value * walks.value[place];
            }
        }
        row = next;
    }
    return row;
}

/// Entries that a row lacks are 0.
void expect_equal(Row found, Row expected) {
    ASSERT_FALSE(expected.empty());
    for (const auto& [state, value] : Row(expected)) EXPECT_NEAR(found[state], value, 1e-14) << state;
    for (const auto& [state, value] : found) EXPECT_NEAR(value, expected[state], 1e-14) << state;
}

std::string refusal_of(const Splitting& system, std::uint32_t length) {
    try {
        if (length == 0) {
            quarter_path_table(walks_on(system));
        } else {
            slot_table(walks_on(system), length);
        }
    } catch (const bench::UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Strata, ShareAllWords) {
    for (const std::uint64_t histories :
         {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1000}, (std::uint64_t{1} << 40) + 1}) {
        const Strata strata = Strata::of(histories);
        EXPECT_EQ(strata.first_of(0), 0u);
        EXPECT_EQ(strata.first_of(histories), 0u);  // 2^64
        for (const std::uint64_t h : {std::uint64_t{0}, std::uint64_t{1}, histories / 2, histories - 1}) {
            const std::uint64_t size = strata.first_of(h + 1) - strata.first_of(h);
            EXPECT_LE(size - UINT64_MAX / histories, 1u);
            EXPECT_EQ(strata(h, 0), strata.first_of(h));
            EXPECT_EQ(strata(h, UINT64_MAX), strata.first_of(h) + size - 1);
        }
    }
}

TEST(SlotShares, AreNearlyInProportion) {
    using Shares = std::vector<std::uint32_t>;
    EXPECT_EQ(slot_shares({1, -1, 1}, 64), (Shares{22, 21, 21}));
    EXPECT_EQ(slot_shares({-0.4, 0.4}, 8), (Shares{4, 4}));
    EXPECT_EQ(slot_shares({2.5, -0.5, 1, 1, 1, 1}, 8), (Shares{3, 1, 1, 1, 1, 1}));
    EXPECT_EQ(slot_shares({1e-9, 1e-9, 1e-9, 1}, 4), (Shares{1, 1, 1, 1}));
    EXPECT_EQ(slot_shares({}, 4), Shares{});
}

TEST(Slots, LeadWhereBLeadsOnAverage) {
    for (const std::string name : {"tiny4", "lap2d"}) {
        const Walks walks = walks_on(name);
        for (const std::uint32_t length : {1, 2, 3}) {
            const SlotTable table = slot_table(walks, length);
            for (std::uint32_t state = 0; state < walks.n; state += walks.n / 4 * 15 / 16 + 1) {
                Row ends;
                std::vector<double> share(table.cells);
                for (std::uint32_t path = 0; path < Slot::slots; path++) {
                    const Slot slot = table.slots[table.class_of[state] * Slot::slots + path];
                    ends[state + static_cast<std::uint32_t>(slot.delta())] +=
                        table.factors[slot.factor()] / Slot::slots;
                    share[slot.cell()] += 1.0 / Slot::slots;
                }
                expect_equal(ends, row_of_power(walks, state, length));
                for (std::uint32_t i = 0; i + 1 < length; i++) {
                    Row visits;
                    for (std::uint32_t cell = 0; cell < table.cells; cell++) {
                        const Between& between = table.between[table.class_of[state] * table.cells + cell];
                        visits[state + static_cast<std::uint32_t>(between.delta[i])] += share[cell] * between.factor[i];
                    }
                    expect_equal(visits, row_of_power(walks, state, i + 1));
                }
            }
        }
    }
}

TEST(Slots, OfEqualRowsAreStoredOnce) {
    EXPECT_EQ(slot_table(walks_on("lap2d"), 1).slots.size(), 9 * Slot::slots);  // corners, edges, inside
    EXPECT_EQ(slot_table(walks_on("lap2d"), 2).slots.size(), 25 * Slot::slots);
}

TEST(Slots, RefuseSystemsThatTheyCannotHold) {
    EXPECT_EQ(refusal_of(jacobi(built_in("sp1")), 1),
              "equal slots need paths with at most 1024 different factors, and there are more; see v12");
    const Splitting far{.h = sparse(40'000, std::vector<Entry>{{39'999, 0, 0.5}}), .b = std::vector(40'000, 1.0)};
    EXPECT_EQ(refusal_of(far, 1),
              "equal slots need paths that end at most 32767 states away, and one ends 39999 away; see v12");
    EXPECT_EQ(
        refusal_of(jacobi(built_in("ad3d")), 3),
        "3 transitions a slot needs columns of H with at most 4 entries off the diagonal, and one has 6; see v17");
}

TEST(OnSlots, HaveTheProbabilitiesAndTheStepsThatAreWalked) {
    const Histories histories =
        on_slots(almost_optimal(jacobi(built_in("lap2d")), Method::adjoint, 10'000, 1e-9), true);
    EXPECT_EQ(histories.steps, 222 * 45 - 1);
    EXPECT_EQ(histories.probability[0], 0.5);  // of the corner
    EXPECT_EQ(histories.probability[2], 0.5);  // of its neighbour, which has three
    EXPECT_EQ(histories.probability[3], 0.25);
}

TEST(QuarterPaths, LeadWhereBLeads) {
    const Walks walks = walks_on("lap2d");
    const QuarterPathTable table = quarter_path_table(walks);
    const QuarterPaths paths = table.view(walks);
    for (const std::uint32_t state : {0u, 1u, 449u, 899u}) {
        Row ends;
        std::vector<Row> visits(3);
        for (std::uint32_t path = 0; path < QuarterPaths::paths; path++) {
            const std::uint32_t end = table.next[QuarterPaths::paths * state + path] / QuarterPaths::paths;
            if (end != walks.n) ends[end] += 1.0 / QuarterPaths::paths;
        }
        expect_equal(ends, row_of_power(walks, state, 3));
        for (std::uint32_t cell = 0; cell < QuarterPaths::cells; cell++) {
            std::uint32_t visit = 0;
            paths.visits_of(QuarterPaths::cells * state + cell,
                            [&](std::uint32_t entry) { visits[visit++][entry] += 1.0 / QuarterPaths::cells; });
        }
        for (std::uint32_t i = 0; i < 3; i++) expect_equal(visits[i], row_of_power(walks, state, i));
    }
}

TEST(QuarterPaths, RefuseOtherSystems) {
    Splitting other = jacobi(built_in("lap2d"));
    other.h.value[0] = 0.2;
    EXPECT_EQ(refusal_of(other, 0),
              "counts need entries of H that are positive multiples of 1/4: column 2 has 0.2; see v13");
    EXPECT_EQ(refusal_of(jacobi(built_in("shift1d")), 0),
              "counted paths need at most 1023 states, not 1000000; see v14");
    EXPECT_EQ(refusal_of(jacobi(built_in("tiny4")), 0), "counts need a right-hand side of one sign; see v14");
}

}  // namespace
