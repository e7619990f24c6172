// Systems whose unknowns or equations differ in scale: they are walked and solved as those without such scales.
#include "kernels/mcls/analysis/column_scales.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/analysis/mean_visits.hpp"
#include "kernels/mcls/analysis/moments.hpp"
#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/solve/notice.hpp"
#include "kernels/mcls/solve/on_host.hpp"
#include "kernels/mcls/solve/outer_loop.hpp"
#include "kernels/mcls/solve/problem.hpp"
#include "kernels/mcls/system/systems.hpp"

namespace {

using mcls::Entry;
using mcls::Sparse;
using mcls::System;

/// From 1e-3 to 1e3, without order.
double scale_of(std::uint32_t i) { return std::pow(10, (i * 37 % 101) / 50.0 * 3 - 3); }

/// The inverse of tridiag(-1, 2, -1), n rows, numbered from 0.
double green(std::uint32_t n, std::uint32_t i, std::uint32_t j) {
    return (std::min(i, j) + 1.0) * (n - std::max(i, j)) / (n + 1.0);
}

/// Row i of tridiag(-1, 2, -1) times row(i), column j times column(j).
template <class Row, class Column>
System line(std::uint32_t n, Row row, Column column) {
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < n; i++) {
        entries.push_back({i, i, 2 * row(i) * column(i)});
        if (i > 0) entries.push_back({i, i - 1, -row(i) * column(i - 1)});
        if (i + 1 < n) entries.push_back({i, i + 1, -row(i) * column(i + 1)});
    }
    return {"line", mcls::sparse(n, entries), std::vector<double>(n, 1)};
}

double one(std::uint32_t) { return 1; }

/// Its x, with b = 1.
template <class Row, class Column>
std::vector<double> solution_of_line(std::uint32_t n, Row row, Column column) {
    std::vector<double> x(n);
    for (std::uint32_t i = 0; i < n; i++) {
        for (std::uint32_t j = 0; j < n; j++) x[i] += green(n, i, j) / row(j) / column(i);
    }
    return x;
}

struct Solved {
    std::vector<double> x;
    std::size_t steps;
};

Solved solved(System system) {
    const mcls::SolveProblem problem = mcls::solve_problem(std::move(system), 0);
    mcls::IterateOnHost iterate(problem, 1234);
    const auto steps = mcls::solve(
        iterate, {1e-10, 30, 20'000},
        [&](const mcls::Sizes& sizes, std::uint64_t histories) { return problem.bits_of(sizes, histories); },
        [](const mcls::OuterStep&) {});
    mcls::require_residual(problem.system, iterate.x(), steps.back().residual);
    return {iterate.x(), steps.size()};
}

TEST(Scales, OfSystemsThatWalksSolveAsTheyAreStayAsTheyAre) {
    for (const char* name : {"lap2d", "sp1", "tiny4"}) {
        const mcls::Splitting stated = mcls::jacobi(mcls::built_in(name));
        const mcls::ScaledSplitting scaled = mcls::scaled_for_walks(stated);
        EXPECT_TRUE(scaled.u.empty()) << name;
        EXPECT_TRUE(scaled.back().empty()) << name;
        EXPECT_EQ(scaled.splitting.h.value, stated.h.value) << name;
        EXPECT_EQ(scaled.splitting.b, stated.b) << name;
    }
}

TEST(Scales, LeaveEveryColumnSumBelowOne) {
    const mcls::Splitting stated = mcls::jacobi(line(50, scale_of, scale_of));
    const auto largest_sum = [](const Sparse& h) {
        const std::vector<double> sums = mcls::row_sums(mcls::transposed(h));
        return *std::max_element(sums.begin(), sums.end());
    };
    EXPECT_GT(largest_sum(stated.h), 10);
    EXPECT_LT(largest_sum(mcls::scaled_for_walks(stated).splitting.h), 1);
}

TEST(Scales, OfUnknownsDoNotChangeTheSolution) {
    constexpr std::uint32_t n = 20;
    const Solved both = solved(line(n, scale_of, scale_of)), columns = solved(line(n, one, scale_of));
    EXPECT_LT(mcls::relative_error(both.x, solution_of_line(n, scale_of, scale_of)), 1e-7);
    EXPECT_LT(mcls::relative_error(columns.x, solution_of_line(n, one, scale_of)), 1e-7);
}

TEST(Scales, OfEquationsCostNoSteps) {
    constexpr std::uint32_t n = 20;
    const Solved rows = solved(line(n, scale_of, one));
    EXPECT_LT(mcls::relative_error(rows.x, solution_of_line(n, scale_of, one)), 1e-8);
    EXPECT_LE(rows.steps, solved(line(n, one, one)).steps + 1);
}

// Four units of a conductance of 1000 in a row, then four of 1, grounded at both ends. A current of 1 into every node.
TEST(Scales, OfCoefficientsThatJumpDoNotMatter) {
    const auto conductance = [](std::uint32_t edge) { return edge < 5 ? 1000.0 : 1.0; };  // before node `edge`
    constexpr std::uint32_t n = 9;
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < n; i++) {
        entries.push_back({i, i, conductance(i) + conductance(i + 1)});
        if (i > 0) entries.push_back({i, i - 1, -conductance(i)});
        if (i + 1 < n) entries.push_back({i, i + 1, -conductance(i + 1)});
    }
    // The current into node i leaves through both ends by the resistances on the way.
    std::vector<double> resistance(n + 2), x(n);
    for (std::uint32_t edge = 0; edge <= n; edge++) resistance[edge + 1] = resistance[edge] + 1 / conductance(edge);
    for (std::uint32_t i = 0; i < n; i++) {
        for (std::uint32_t j = 0; j < n; j++) {
            x[i] += resistance[std::min(i, j) + 1] * (1 - resistance[std::max(i, j) + 1] / resistance[n + 1]);
        }
    }
    const Solved found = solved({"jump", mcls::sparse(n, entries), std::vector<double>(n, 1)});
    EXPECT_LT(mcls::relative_error(found.x, x), 1e-7);
}

// The Laplacian of a star, with the other sign of links: H has the radius 1. With a shift it is below.
TEST(Scales, DoNotHelpWhereTheRadiusIsOne) {
    constexpr std::uint32_t leaves = 30;
    const auto star = [](double shift, double link) {
        std::vector<Entry> entries{{0, 0, leaves + shift}};
        for (std::uint32_t leaf = 1; leaf <= leaves; leaf++) {
            entries.insert(entries.end(), {{0, leaf, link}, {leaf, 0, link}, {leaf, leaf, 1 + shift}});
        }
        return System{"star", mcls::sparse(leaves + 1, entries), std::vector<double>(leaves + 1, 1)};
    };
    std::string line;
    try {
        System singular = star(0, 1);
        singular.b[0] = 0;
        for (std::uint32_t leaf = 1; leaf <= leaves; leaf++) singular.b[leaf] = leaf % 2 == 0 ? 1 : -1;  // H b = 0
        mcls::solve_problem(std::move(singular), 0);
    } catch (const bench::UsageError& error) {
        line = error.what();
    }
    EXPECT_TRUE(line.ends_with("; the spectral radius of |H| is about 1")) << line;
    for (const double x : solved(star(0.01, -1)).x) EXPECT_NEAR(x, 100, 1e-6);  // the rows sum to the shift
}

// What adds to u x adds to x by a factor, so the variances differ by its square.
TEST(Scales, ExactMomentsAreThoseOfX) {
    constexpr std::uint32_t n = 6;
    const mcls::Splitting stated = mcls::jacobi(line(n, scale_of, scale_of));
    const mcls::ScaledSplitting scaled = mcls::scaled_for_walks(stated);
    const auto walked = mcls::almost_optimal(scaled.splitting, mcls::Method::adjoint, 100'000);
    const mcls::Moments moments(scaled.of_x(walked, stated)), of_walked(walked);
    const std::vector<double> x = solution_of_line(n, scale_of, scale_of);
    EXPECT_LT(mcls::relative_error(moments.mean(), x), 1e-9);
    const mcls::Pools own = moments.pools(1e12, 1), others = of_walked.pools(1e12, 1);
    ASSERT_EQ(own.size(), n);
    for (std::size_t i = 0; i < n; i++) {
        const double factor = scaled.back()[own.state[i]];
        EXPECT_NEAR(own.law[i].variance / (others.law[i].variance * factor * factor), 1, 1e-6);
    }
}

TEST(MeanVisits, OfALongLineAreFoundAtOnce) {  // its series has 10^7 terms
    constexpr std::uint32_t n = 2000;
    const auto visits = mcls::mean_visits(mcls::absolute(mcls::jacobi(line(n, one, one)).h));
    ASSERT_TRUE(visits);
    EXPECT_NEAR(visits->largest(), n / 2 * (n / 2 + 1.0), 10);
}

/// A torus: each state has four neighbours.
Sparse torus(std::uint32_t side, double sum) {
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < side * side; i++) {
        const std::uint32_t x = i % side, y = i / side;
        for (const std::uint32_t next : {y * side + (x + 1) % side, y * side + (x + side - 1) % side,
                                         (y + 1) % side * side + x, (y + side - 1) % side * side + x}) {
            entries.push_back({i, next, sum / 4 * (i % 3 == 0 ? 0.5 : 1)});
        }
    }
    return mcls::sparse(side * side, entries);
}

TEST(MeanVisits, WithoutANarrowBandAreThoseOfTheSeries) {
    const Sparse m = torus(40, 0.95);
    const std::vector<double> sums = mcls::neumann_sum(mcls::transposed(m), std::vector<double>(m.n, 1), 2000);
    const auto visits = mcls::mean_visits(m);
    ASSERT_TRUE(visits);
    EXPECT_NEAR(visits->largest() / *std::max_element(sums.begin(), sums.end()), 1, 1e-6);
}

TEST(MeanVisits, AreNotFoundWhereTheSeriesDiverges) {
    EXPECT_FALSE(mcls::mean_visits(torus(40, 1.5)));
    EXPECT_FALSE(mcls::mean_visits(mcls::sparse(2, std::vector<Entry>{{0, 1, 1}, {1, 0, 1}})));
}

TEST(Notice, IsGivenAfterItsTimeAlone) {
    std::atomic<int> told = 0;
    {
        const mcls::Notice at_once(1, [&] { told++; });
    }
    EXPECT_EQ(told, 0);
    {
        const mcls::Notice late(0.01, [&] { told++; });
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    EXPECT_EQ(told, 1);
}

}  // namespace
