// A population with walkers of both signs: the tallies of tests/data/golden_walks.py, the probabilities of its trees, the systems that it
// refuses, and the law of independent histories.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/tables/population_table.hpp"
#include "tests/host/kernels/mcls/golden_counts.hpp"

namespace {

using namespace mcls;

TEST(Population, HasTheGoldenTallies) { expect_golden_counts<Population>("population"); }

/// The system x = H x + b, b = 1 and -1 in turns, whose rows of B have these entries, i states after their own.
using Row = std::vector<std::pair<std::uint32_t, double>>;

Splitting circle(std::uint32_t n, const Row& row) {
    std::vector<Entry> entries;
    std::vector<double> b;
    for (std::uint32_t i = 0; i < n; i++) {
        for (const auto& [distance, value] : row) entries.push_back({(i + distance) % n, i, value});
        b.push_back(i % 2 == 0 ? 1 : -1);
    }
    return {.h = sparse(n, entries), .b = b};
}

/// The probability of each slot of a row.
std::vector<double> shares_of(const Forks& forks, std::uint32_t slots) {
    std::vector<double> shares(slots), open = {1};
    const auto give = [&](unsigned child, double share) {
        if (child == Forks::node) {
            open.push_back(share);
            return;
        }
        const unsigned alike = 1u << forks.log2_slots[child];
        for (unsigned i = 0; i < alike; i++) shares[forks.first[child] + i] += share / alike;
    };
    if (forks.nodes == 0) give(0, 1);
    for (unsigned node = 0; node < forks.nodes; node++) {
        const double share = open[node] / 2;
        give(forks.child[node].of_zero, share);
        give(forks.child[node].of_one, share);
    }
    return shares;
}

TEST(Population, PartsInProportionToTheEntries) {
    for (const Row& row :
         {Row{{1, 0.4}, {8, 0.4}}, Row{{1, 0.25}, {3, -0.25}, {6, 0.25}, {8, 0.25}}, Row{{2, -1.0}},
          Row{{1, 25 / 72.0}, {2, -5 / 72.0}, {3, 10 / 72.0}, {4, 10 / 72.0}, {5, 10 / 72.0}, {6, 10 / 72.0}}}) {
        const Walks walks = walks_on(circle(9, row));
        const PopulationTable table = population_table(walks);
        ASSERT_EQ(table.forks.size(), 1u);
        const std::vector<double> shares = shares_of(table.forks[0], table.slots);
        for (std::uint32_t place = 0; place < walks.n; place++) {
            std::vector<double> to(walks.n), wanted(walks.n);
            double ends = 0, left = 1;
            for (std::uint32_t slot = 0; slot < table.slots; slot++) {
                const std::uint32_t next = table.next[place * table.slots + slot];
                if (next == Population::gone) {
                    ends += shares[slot];
                } else {
                    to[table.state[next & ~Population::turned]] +=
                        next & Population::turned ? -shares[slot] : shares[slot];
                }
            }
            for (const auto& [distance, value] : row) {
                wanted[(table.state[place] + distance) % walks.n] = value;
                left -= std::abs(value);
            }
            for (std::uint32_t state = 0; state < walks.n; state++) EXPECT_NEAR(to[state], wanted[state], 0x1p-32);
            EXPECT_NEAR(ends, left, 8 * 0x1p-32);
        }
    }
}

TEST(Population, HasOneTreeForARowAndOneWithoutSomeOfItsEntries) {
    EXPECT_EQ(population_table(walks_on("lap2d")).forks.size(), 1u);
    EXPECT_EQ(population_table(walks_on("tiny4")).forks.size(), 4u);
}

std::string refusal_of(const Splitting& system) {
    try {
        population_table(walks_on(system));
    } catch (const bench::UsageError& refusal) {
        return refusal.what();
    }
    return "";
}

TEST(Population, RefusesWhatItsTreesCannotHold) {
    Row row;
    for (std::uint32_t i = 1; i <= 8; i++) row.emplace_back(i, 0.125);
    EXPECT_EQ(refusal_of(circle(11, row)), "");
    row[0].second = 0.1;
    EXPECT_NE(refusal_of(circle(11, row)).find("at most 8 entries, the end of histories among them, not 9; see v13"),
              std::string::npos);
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < 300; i++) entries.push_back({i, (i + 1) % 300, 0.5 + 0.001 * i});
    EXPECT_NE(refusal_of({.h = sparse(300, entries), .b = std::vector(300, 1.0)})
                  .find("at most 256 different sizes; see v13"),
              std::string::npos);
}

using Vector = std::vector<double>;

/// v = f + (entries of the row, or their sizes) v after it, by sweeps.
Vector sums_on_circle(const Vector& f, const Row& row, bool sizes) {
    Vector v = f;
    for (unsigned sweep = 0; sweep < 2'000; sweep++) {
        Vector next = f;
        for (std::size_t i = 0; i < f.size(); i++) {
            for (const auto& [distance, value] : row)
                next[i] += (sizes ? std::abs(value) : value) * v[(i + distance) % f.size()];
        }
        v = std::move(next);
    }
    return v;
}

TEST(Population, VariesAsIndependentHistoriesDo) {
    constexpr unsigned launches = 600, n = 10;
    const Row row = {{1, 0.3}, {2, -0.2}, {9, 0.3}, {4, 0.1}};
    Walks walks = walks_on(circle(n, row));
    const auto visit = static_cast<double>(population_table(walks).view(walks).amount);
    std::vector<Vector> functionals(3, Vector(n, 1.0));  // all visits, with signs in turns, a state
    for (std::uint32_t i = 0; i < n; i++) {
        functionals[1][i] = i % 2 == 0 ? 1 : -1;
        functionals[2][i] = i == 4 ? 1 : 0;
    }
    const int cores = omp_get_max_threads();
    omp_set_num_threads(1);  // launches so short gain nothing from more
    // Many for each state, whose bits fill rounds, and few, of several populations.
    for (const auto& [of_state, shape] : {std::pair(2'000u, bench::Shape{1, 32}), {90u, {1, 64}}}) {
        walks.histories = std::uint64_t{of_state} * n * Population::populations(n, total_threads(shape));
        const auto histories = static_cast<double>(walks.histories);
        std::vector<std::vector<bench::Count>> published;
        for (unsigned launch = 0; launch < launches; launch++)
            published.push_back(counts_of<Population>(walks, 1234, launch, shape));
        for (const Vector& f : functionals) {
            const Vector mean = sums_on_circle(f, row, false);
            Vector square = f;
            for (std::size_t i = 0; i < n; i++) square[i] = f[i] * (2 * mean[i] - f[i]);
            const Vector second = sums_on_circle(square, row, true);
            double expected = 0, variance = 0, sum = 0, squares = 0;
            for (std::size_t i = 0; i < n; i++) {
                expected += (i % 2 == 0 ? mean[i] : -mean[i]) / n;
                variance += (second[i] - mean[i] * mean[i]) / n;  // starts are stratified
            }
            for (const auto& counts : published) {
                double visits = 0;
                for (std::size_t i = 0; i < n; i++) {
                    visits += f[i] * static_cast<double>(static_cast<std::int64_t>(counts[first_tally + i]));
                }
                const double error = (visits / visit - histories * expected) / std::sqrt(histories * variance);
                sum += error;
                squares += error * error;
            }
            EXPECT_LT(std::abs(sum) / std::sqrt(launches), 4) << of_state;
            EXPECT_NEAR(squares / launches, 1, 4 * std::sqrt(2.0 / launches)) << of_state;
        }
    }
    omp_set_num_threads(cores);
}

}  // namespace
