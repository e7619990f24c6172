// Counted walkers: the tallies of tests/data/golden_walks.py, the starts of single histories, and the law of independent ones.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/mcls/tables/path_tables.hpp"
#include "tests/host/kernels/mcls/golden_counts.hpp"

namespace {

using namespace mcls;

TEST(CountedWalkers, HaveTheGoldenTallies) { expect_golden_counts<CountedWalkers>("counted"); }

TEST(CountedWalkers, StartWhereSingleHistoriesStart) {
    Walks walks = walks_on("lap2d");
    walks.b[3] = 0;
    for (std::uint32_t state = 100; state < 110; state++) walks.b[state] = 40;
    walks.starts = start_table(walks.b);
    const PhiloxKeys keys = keys_of(5);
    constexpr std::uint32_t launch = 9, blocks = 7;
    for (const std::uint64_t histories : {2, 700, 901, 30'011}) {
        walks.histories = histories;
        const CountedTable table = counted_table(walks);
        const QuarterPathTable paths = quarter_path_table(walks);
        std::vector<std::vector<std::uint32_t>> expected(blocks, std::vector<std::uint32_t>(walks.n));
        for (std::uint64_t h = 0; h < histories; h++) {
            expected[h % blocks][paths.view(walks).start_of(h, quad_of(keys, {launch, h}, 0).word[3])]++;
        }
        for (std::uint32_t block = 0; block < blocks; block++) {
            for (std::uint32_t place = 0; place < walks.n; place++) {
                ASSERT_EQ(table.view(walks).starting(place, keys, launch, block, blocks),
                          expected[block][table.state[place]])
                    << histories << " histories, block " << block << ", state " << table.state[place];
            }
        }
    }
}

using Vector = std::vector<double>;

/// A square grid whose walkers go to each neighbour with probability 1/4, and end beyond its border.
struct Grid {
    std::uint32_t side;

    std::uint32_t n() const { return side * side; }

    template <class Use>
    void for_neighbours(std::uint32_t i, Use use) const {
        if (i % side > 0) use(i - 1);
        if (i % side + 1 < side) use(i + 1);
        if (i >= side) use(i - side);
        if (i + side < n()) use(i + side);
    }

    Walks walks() const {
        std::vector<Entry> entries;
        for (std::uint32_t i = 0; i < n(); i++) {
            for_neighbours(i, [&](std::uint32_t j) { entries.push_back({i, j, 0.25}); });
        }
        return walks_on({.h = sparse(n(), entries), .b = Vector(n(), 1.0)});
    }

    /// v = P v + f, by sweeps.
    Vector sums_of(const Vector& f) const {
        Vector v = f;
        for (unsigned sweep = 0; sweep < 2'000; sweep++) {
            for (std::uint32_t i = 0; i < n(); i++) {
                double sum = 0;
                for_neighbours(i, [&](std::uint32_t j) { sum += v[j]; });
                v[i] = f[i] + sum / 4;
            }
        }
        return v;
    }
};

/// Mean and variance of what a history adds up of f, if as many start in each state.
std::pair<double, double> moments_of(const Grid& grid, const Vector& f) {
    const Vector mean = grid.sums_of(f);
    Vector square = f;
    for (std::size_t i = 0; i < f.size(); i++) square[i] = f[i] * (2 * mean[i] - f[i]);
    const Vector second = grid.sums_of(square);
    double sum = 0, variance = 0;
    for (std::size_t i = 0; i < f.size(); i++) {
        sum += mean[i];
        variance += second[i] - mean[i] * mean[i];
    }
    const auto n = static_cast<double>(f.size());
    return {sum / n, variance / n};
}

/// Of the launches: the error of what visits add up to, in standard deviations of independent histories.
struct Errors {
    double sum = 0, squares = 0;

    void add(double error) {
        sum += error;
        squares += error * error;
    }
};

/// Launches of as many walkers for each state.
std::vector<Errors> errors_of(const Grid& grid, const std::vector<Vector>& functionals, unsigned of_state,
                              bench::Shape shape, unsigned launches) {
    Walks walks = grid.walks();
    walks.histories = std::uint64_t{of_state} * grid.n();
    const auto histories = static_cast<double>(walks.histories);
    const auto visit = static_cast<double>(counted_table(walks).view(walks).amount);
    const int cores = omp_get_max_threads();
    omp_set_num_threads(1);  // launches so short gain nothing from more
    std::vector<std::vector<bench::Count>> published;
    for (unsigned launch = 0; launch < launches; launch++) {
        published.push_back(counts_of<CountedWalkers>(walks, 1234, launch, shape));
    }
    omp_set_num_threads(cores);
    std::vector<Errors> errors;
    for (const Vector& f : functionals) {
        const auto [mean, variance] = moments_of(grid, f);
        Errors& of_functional = errors.emplace_back();
        for (const auto& counts : published) {
            double sum = 0;
            for (std::uint32_t i = 0; i < grid.n(); i++) sum += f[i] * static_cast<double>(counts[first_tally + i]);
            of_functional.add((sum / visit - histories * mean) / std::sqrt(histories * variance));
        }
    }
    return errors;
}

TEST(CountedWalkers, VaryAsIndependentHistoriesDo) {
    constexpr unsigned launches = 2'000;
    const Grid grid{5};
    std::vector<Vector> functionals(
        4, Vector(grid.n(), 1.0));  // all visits, a checkerboard, a state, where second bits lead
    for (std::uint32_t i = 0; i < grid.n(); i++) {
        functionals[1][i] = i % 2 == 0 ? 1 : -1;
        functionals[2][i] = i == 6 ? 1 : 0;
        functionals[3][i] = static_cast<double>(i / grid.side) - i % grid.side;
    }
    // Many in a block, whose bits fill rounds; and few in several.
    for (const auto& [of_state, shape] : {std::pair(2'000u, bench::Shape{1, 32}), {90u, {3, 8}}}) {
        for (const Errors& found : errors_of(grid, functionals, of_state, shape, launches)) {
            EXPECT_LT(std::abs(found.sum) / std::sqrt(launches), 4) << of_state;
            EXPECT_NEAR(found.squares / launches, 1, 4 * std::sqrt(2.0 / launches)) << of_state;
        }
    }
}

}  // namespace
