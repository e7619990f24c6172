// The outer steps of mcls_solve, on the host: where histories start, how the residual falls, and what is noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/cli/errors.hpp"
#include "kernels/mcls/problem/systems.hpp"
#include "kernels/mcls/problem/tables.hpp"
#include "kernels/mcls/solve/on_host.hpp"
#include "kernels/mcls/solve/outer_loop.hpp"
#include "kernels/mcls/solve/problem.hpp"

namespace {

using mcls::Iterate;
using mcls::IterateOnHost;
using mcls::OuterStep;
using mcls::Sizes;
using mcls::SolveLimits;
using mcls::SolveProblem;

constexpr std::uint64_t seed = 1234;
constexpr double tolerance = 1e-8;

Sizes sizes_of(const std::vector<double>& r) {
    Sizes sizes{};
    for (std::uint32_t i = 0; i < r.size(); i++) sizes.add(i, r[i], 1);
    return sizes;
}

mcls::StartTable starts_of(const std::vector<double>& r) { return mcls::starts_of(r, sizes_of(r)); }

std::vector<OuterStep> solve(Iterate& iterate, const SolveProblem& problem, const SolveLimits& limits) {
    return mcls::solve(
        iterate, limits, [&](const Sizes& sizes, std::uint64_t n) { return problem.bits_of(sizes, n); },
        [](const OuterStep&) {});
}

/// What a call throws.
template <class Error, class Call>
std::string message(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing thrown";
}

/// The five-point Laplacian of a square of `side` x `side` cells.
mcls::System laplacian(std::uint32_t side) {
    std::vector<mcls::Entry> entries;
    for (std::uint32_t i = 0; i < side * side; i++) {
        entries.push_back({i, i, 4});
        if (i % side > 0) entries.insert(entries.end(), {{i, i - 1, -1}, {i - 1, i, -1}});
        if (i >= side) entries.insert(entries.end(), {{i, i - side, -1}, {i - side, i, -1}});
    }
    return {"laplacian", mcls::sparse(side * side, entries), std::vector<double>(std::size_t{side} * side, 1)};
}

TEST(SolveStarts, OfTheFirstResidualAreThoseOfTheLadder) {
    const mcls::StartTable starts = starts_of({0.25, 0, -0.5, 1});  // tiny4
    const std::vector<std::uint64_t> q = {2635249153387078656u, 0, 5270498306774157312u, 10540996613548315648u};
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < 4; i++) {
        EXPECT_EQ(starts.last[i], (end += q[i]) - 1) << i;
        EXPECT_EQ(starts.start[i].state, i);
    }
    EXPECT_EQ(starts.start[0].weight, 1.75);
    EXPECT_EQ(starts.start[2].weight, -1.75);
    EXPECT_EQ(starts.start[3].weight, 1.75);
}

TEST(SolveStarts, AreChosenByTheSameWordsAsTheTableOfTheLadder) {
    std::vector<double> r;
    for (int i = 0; i < 300; i++) r.push_back(i % 3 == 0 ? 0 : (i * 37 % 101 - 50) * 0.125);  // sums are exact
    const mcls::StartTable table = starts_of(r), ladder = mcls::start_table(r);
    for (std::uint64_t k = 0; k < 10000; k++) {
        const std::uint64_t u = 1 + k * 1844674407370955ull;
        const mcls::Start found = table.view()(u), expected = ladder.view()(u);
        ASSERT_EQ(found.state, expected.state) << u;
        ASSERT_EQ(found.weight, expected.weight) << u;
    }
    EXPECT_EQ(table.view()(UINT64_MAX).state, ladder.view()(UINT64_MAX).state);
}

TEST(SolveStarts, HaveAWeightWhereAllOthersAreNothingBesideThem) {
    for (const std::vector<double>& r : {std::vector{0.0, -3.0, 0.0}, {1e-300, -3, 1e-300}}) {
        const mcls::StartTable table = starts_of(r);
        for (const std::uint64_t u : {std::uint64_t{1}, std::uint64_t{1} << 63, UINT64_MAX - 1}) {
            EXPECT_EQ(table.view()(u).state, 1u);
            EXPECT_EQ(table.view()(u).weight, -3);
        }
    }
}

TEST(SolveProblem, HistoriesAreAbsorbedWhereTheSystemAllowsItAndNoCutoffIsAskedFor) {
    EXPECT_EQ(mcls::solve_problem(mcls::built_in("lap2d"), 0).sampling, mcls::Sampling::absorbing);
    const SolveProblem with_cutoff = mcls::solve_problem(mcls::built_in("lap2d"), 1e-3);
    EXPECT_EQ(with_cutoff.sampling, mcls::Sampling::almost_optimal);
    EXPECT_EQ(with_cutoff.limits.cutoff, 1e-3);
    mcls::System above_one = laplacian(3);
    above_one.a.value[1] = -6;  // a column of H sums to 1.5 or more
    EXPECT_EQ(mcls::solve_problem(above_one, 0).sampling, mcls::Sampling::almost_optimal);
}

TEST(SolveProblem, TheResidualIsThatOfTheSystemAsItIsStated) {
    const mcls::System tiny4 = mcls::built_in("tiny4");  // A (1, 1, 1, 1) = (3.5, 2, 4, 1.5), c = (1, 0, -2, 3)
    const mcls::TrueResidual found = mcls::residual_of(tiny4, {1, 1, 1, 1});
    EXPECT_NEAR(found.relative, std::sqrt((6.25 + 4 + 36 + 2.25) / 14), 1e-15);
    EXPECT_LT(found.rounding, 1e-14);
}

class Solves : public testing::TestWithParam<double> {};

TEST_P(Solves, ToTheTolerance) {
    const double cutoff = GetParam();
    for (const mcls::System& system : {mcls::built_in("tiny4"), laplacian(6)}) {
        const SolveProblem problem = mcls::solve_problem(system, cutoff);
        IterateOnHost iterate(problem, seed);
        const auto steps = solve(iterate, problem, {tolerance, 20, 20'000});
        EXPECT_LE(steps.back().residual, tolerance) << system.name;
        EXPECT_LT(steps.size(), 20u);
        EXPECT_GT(steps[steps.size() - 2].residual, tolerance);
        mcls::require_residual(system, iterate.x(), steps.back().residual);
        EXPECT_LT(mcls::relative_error(iterate.x(), mcls::solution_of(problem)), 20 * tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(WithAbsorptionAndWeights, Solves, testing::Values(0, 1e-6));

TEST(Solve, FindsTheSolutionOfTiny4) {
    const SolveProblem problem = mcls::solve_problem(mcls::built_in("tiny4"), 0);
    IterateOnHost iterate(problem, seed);
    solve(iterate, problem, {tolerance, 20, 10'000});
    const std::vector<double> exact = {0.10746269, -0.07164179, -0.23283582, 0.99701493};
    for (std::size_t i = 0; i < 4; i++) EXPECT_NEAR(iterate.x()[i], exact[i], 3e-8);
}

TEST(Solve, OtherSeedsTakeOtherWays) {
    const SolveProblem problem = mcls::solve_problem(mcls::built_in("tiny4"), 0);
    const auto residual = [&](std::uint64_t of) {
        IterateOnHost iterate(problem, of);
        return solve(iterate, problem, {0.5, 2, 1000}).front().residual;
    };
    EXPECT_EQ(residual(1), residual(1));
    EXPECT_NE(residual(1), residual(2));
}

// The variance of the residual after a correction, by section "residual" of the theory in moments.hpp, is that of one step.
TEST(Solve, MoreHistoriesMakeTheFactorSmallerByTheirRoot) {
    const SolveProblem problem = mcls::solve_problem(laplacian(10), 0);
    const auto factor = [&](std::uint64_t histories) {
        double logs = 0;
        constexpr unsigned steps = 8;
        IterateOnHost iterate(problem, seed);
        const auto found = solve(iterate, problem, {1e-5, 1000, histories});
        for (unsigned i = 1; i < found.size(); i++) logs += std::log(found[i].factor);
        return std::exp(logs / static_cast<double>(found.size() - 1) + 0 * steps);
    };
    EXPECT_NEAR(factor(5'000) / factor(80'000), 4, 0.8);
}

}  // namespace
