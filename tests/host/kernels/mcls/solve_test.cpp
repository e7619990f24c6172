// The outer steps of mcls_solve, on the host: where histories start, how the residual falls, and what is noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/analysis/moments.hpp"
#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/solve/on_host.hpp"
#include "kernels/mcls/solve/outer_loop.hpp"
#include "kernels/mcls/solve/problem.hpp"
#include "kernels/mcls/system/systems.hpp"
#include "kernels/mcls/tables/tables.hpp"

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
        EXPECT_LT(mcls::relative_error(iterate.x(), mcls::solution_of(problem.splitting)), 20 * tolerance);
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
        return solve(iterate, problem, {tolerance, 20, 10'000}).front().residual;
    };
    EXPECT_EQ(residual(1), residual(1));
    EXPECT_NE(residual(1), residual(2));
}

TEST(Solve, AStepLeavesTheResidualThatExactMomentsExpect) {
    const SolveProblem problem = mcls::solve_problem(laplacian(10), 0);
    mcls::Histories exact = mcls::absorbing(problem.splitting, mcls::Method::adjoint);
    const double squares_of_b = std::inner_product(exact.source.begin(), exact.source.end(), exact.source.begin(), 0.0);
    for (const std::uint64_t histories : {2'000, 8'000}) {
        exact.strata = histories;
        const auto expected = mcls::Moments(exact).squared_residual(static_cast<double>(histories));
        constexpr unsigned launches = 100;
        IterateOnHost iterate(problem, seed);
        double left = 0;
        for (unsigned launch = 1; launch <= launches; launch++) {
            const Sizes before = iterate.begin();
            const Sizes after = iterate.correct(launch, histories, problem.bits_of(before, histories)).residual;
            left += after.squares / before.squares / launches;
        }
        EXPECT_NEAR(left * squares_of_b, expected->mean, 4 * std::sqrt(expected->variance / launches)) << histories;
    }
}

TEST(Solve, TakesTheCheapestNumberOfHistories) {
    const double per_history = 1e5;  // the squared factor is this over the number
    const auto cost = [&](double histories) { return histories / std::log(histories / per_history); };
    for (const double histories : {2e5, 1e6, 1e5}) {
        const auto best = static_cast<double>(
            mcls::cheapest_histories(static_cast<std::uint64_t>(histories), std::sqrt(per_history / histories)));
        EXPECT_LT(cost(best), cost(1.1 * best)) << histories;
        EXPECT_LT(cost(best), cost(best / 1.1)) << histories;
    }
}

TEST(Solve, NeverAsksForHistoriesThatCannotBeCounted) {
    EXPECT_EQ(mcls::cheapest_histories(1'000'000, std::nan("")), 16'000'000);
    EXPECT_EQ(mcls::cheapest_histories(std::uint64_t{1} << 61, 10), std::uint64_t{1} << 62);
}

TEST(Solve, StopsAfterASweepThatIsExact) {
    const mcls::System triangular = {
        "triangular", mcls::sparse(2, std::vector<mcls::Entry>{{0, 0, 2}, {1, 0, 1}, {1, 1, 4}}), {2, 5}};
    const SolveProblem problem = mcls::solve_problem(triangular, 0);
    IterateOnHost iterate(problem, seed);
    const auto steps = solve(iterate, problem, {1e-300, 10, 1000});
    EXPECT_EQ(steps.back().residual, 0);
    EXPECT_EQ(iterate.x(), (std::vector<double>{1, 1}));
}

/// An iterate whose residual follows a list.
class Listed : public Iterate {
 public:
    explicit Listed(std::vector<double> residuals) : residuals_(std::move(residuals)) {}

    std::uint32_t n() const override { return 1; }
    Sizes begin() override { return sizes_of({1}); }
    Sizes sweep() override { return sizes_of({1}); }
    std::uint64_t most_histories() const override { return 5'000'000; }
    Corrected correct(std::uint32_t launch, std::uint64_t histories, int) override {
        asked_.push_back(histories);
        return {sizes_of({residuals_.at(launch - 1)}), 1};
    }
    std::vector<double> x() const override { return {0}; }

    const std::vector<std::uint64_t>& asked() const { return asked_; }

 private:
    std::vector<double> residuals_;
    std::vector<std::uint64_t> asked_;
};

void solve(Listed& iterate, std::optional<std::uint64_t> histories) {
    mcls::solve(
        iterate, {tolerance, 5, histories}, [](const Sizes&, std::uint64_t) { return 20; }, [](const OuterStep&) {});
}

std::string failure_of(std::vector<double> residuals, std::optional<std::uint64_t> histories = 1000) {
    Listed iterate(std::move(residuals));
    return message<bench::VerdictError>([&] { solve(iterate, histories); });
}

TEST(SolveFails, WhenTheResidualGrowsInThreeStepsInARow) {
    EXPECT_EQ(failure_of({2, 4, 8, 1e-9}),
              "the residual grew in 3 steps in a row, to 8: use more --histories, about 1e+04");
    EXPECT_EQ(failure_of({2, 4, 3, 5, 1e-9}), "nothing thrown");
}

TEST(SolveFails, WhenTheResidualStaysTheSameThoughHistoriesGrow) {
    EXPECT_EQ(failure_of({0.5, 0.5, 0.49, 0.5, 1e-9}, std::nullopt),
              "the residual stayed the same in 3 steps in a row, at 0.5: use a larger --tolerance, or a smaller "
              "--cutoff where one ends histories");
    EXPECT_EQ(failure_of({0.5, 0.5, 0.49, 0.4, 1e-9}, std::nullopt), "nothing thrown");
    EXPECT_EQ(failure_of({0.5, 0.5, 0.49, 0.5, 1e-9}), "nothing thrown");
}

TEST(SolveFails, WhenTheStepsAreUsedUp) {
    EXPECT_EQ(failure_of({0.5, 0.4, 0.3, 0.2, 0.1}),
              "the residual is 0.1 after 5 steps: use more --max-steps or --histories");
}

TEST(SolveFails, WithMoreHistoriesThanALaunchCanCount) {
    const auto refusal = [](std::optional<std::uint64_t> histories) {
        const Listed iterate({});
        return message<bench::UsageError>([&] { mcls::check_histories({tolerance, 5, histories}, iterate); });
    };
    EXPECT_EQ(refusal(5'000'001),
              "--histories: 5,000,001 are more than 5,000,000, which is what a step can count on this GPU");
    EXPECT_EQ(refusal(5'000'000), "nothing thrown");
    EXPECT_EQ(refusal(std::nullopt), "nothing thrown");
}

TEST(SolveFails, WhenTheResidualOverflows) {
    EXPECT_EQ(failure_of({INFINITY}), "the residual is not finite");
    EXPECT_EQ(failure_of({NAN}), "the residual is not finite");
}

TEST(SolveFails, WhenXHasAnotherResidualThanItsIterateClaims) {
    const mcls::System tiny4 = mcls::built_in("tiny4");
    const SolveProblem problem = mcls::solve_problem(tiny4, 0);
    IterateOnHost iterate(problem, seed);
    const double claimed = solve(iterate, problem, {tolerance, 20, 10'000}).back().residual;
    const auto verdict = [&](const std::vector<double>& x, double residual) {
        return message<bench::VerdictError>([&] { mcls::require_residual(tiny4, x, residual); });
    };
    std::vector<double> x = iterate.x();
    EXPECT_EQ(verdict(x, claimed), "nothing thrown");
    EXPECT_NE(verdict(x, claimed * 1.001), "nothing thrown");
    x[2] += 1e-9;
    EXPECT_NE(verdict(x, claimed), "nothing thrown");
    x[2] = NAN;
    EXPECT_NE(verdict(x, claimed), "nothing thrown");
}

TEST(SolveFails, WhenWeightsHaveAWrongScale) {
    SolveProblem problem = mcls::solve_problem(laplacian(6), 0);
    for (double& factor : problem.rows.factors) factor *= 1.1;
    IterateOnHost iterate(problem, seed);
    EXPECT_NE(message<bench::VerdictError>([&] {
                  solve(iterate, problem, {tolerance, 20, 20'000});
              }),
              "nothing thrown");
}

TEST(Solve, NeverTakesMoreHistoriesThanALaunchCanCount) {
    Listed iterate({2, 3, 1e-9});
    solve(iterate, std::nullopt);
    EXPECT_LT(iterate.asked()[1], iterate.most_histories());
    EXPECT_EQ(iterate.asked()[2], iterate.most_histories());
}

TEST(Solve, TakesMoreHistoriesWhereTheResidualGrows) {
    Listed iterate({2, 1, 1e-9});
    solve(iterate, std::nullopt);
    EXPECT_EQ(iterate.asked()[0], mcls::fewest_histories(1));
    EXPECT_GT(iterate.asked()[1], 10 * iterate.asked()[0]);
    EXPECT_LT(iterate.asked()[2], 2 * iterate.asked()[1]);
}

}  // namespace
