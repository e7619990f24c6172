// A GPU takes the outer steps of mcls_solve that the host takes: x and its residual are equal, bit for bit.
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/solve/on_gpu.hpp"
#include "kernels/mcls/solve/on_host.hpp"
#include "kernels/mcls/system/systems.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using mcls::Iterate;
using mcls::Sizes;
using mcls::SolveProblem;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;

class SolveOnGpu : public GpuTest {};

void expect_same_sizes(const Sizes& found, const Sizes& expected) {
    EXPECT_EQ(found.sum, expected.sum);
    EXPECT_EQ(found.squares, expected.squares);
    EXPECT_EQ(found.largest, expected.largest);
    EXPECT_EQ(found.at, expected.at);
}

void expect_the_steps_of_the_host(const SolveProblem& problem, std::uint64_t histories) {
    const auto gpu = mcls::iterate_on_gpu(problem, seed);
    mcls::IterateOnHost host(problem, seed);
    expect_same_sizes(gpu->begin(), host.begin());
    for (std::uint32_t launch = 1; launch <= 2; launch++) {
        const Sizes source = host.sweep();
        expect_same_sizes(gpu->sweep(), source);
        const int bits = problem.bits_of(source, histories);
        const Iterate::Corrected expected = host.correct(launch, histories, bits);
        const Iterate::Corrected found = gpu->correct(launch, histories, bits);
        EXPECT_EQ(found.transitions, expected.transitions);
        expect_same_sizes(found.residual, expected.residual);
        EXPECT_EQ(gpu->x(), host.x());
    }
}

TEST_F(SolveOnGpu, TakesTheStepsOfTheHost) {
    constexpr double no_cutoff = 0, cutoff = 1e-3;
    for (const std::string name : {"tiny4", "lap2d", "sp1", "ad3d", "shift1d"}) {
        SCOPED_TRACE(name);
        expect_the_steps_of_the_host(mcls::solve_problem(mcls::built_in(name), no_cutoff), 20'000);
    }
    expect_the_steps_of_the_host(mcls::solve_problem(mcls::built_in("lap2d"), cutoff), 20'000);
    const std::vector<mcls::Entry> unequal = {{0, 0, 1}, {0, 1, -0.001}, {1, 0, -400}, {1, 1, 1}};
    expect_the_steps_of_the_host(mcls::solve_problem({"unequal", mcls::sparse(2, unequal), {1, 1}}, 0), 20'000);
}

TEST_F(SolveOnGpu, ReachesTheTolerance) {
    for (const std::string name : {"tiny4", "lap2d"}) {
        SCOPED_TRACE(name);
        const SolveProblem problem = mcls::solve_problem(mcls::built_in(name), 0);
        const auto gpu = mcls::iterate_on_gpu(problem, seed);
        const auto steps = mcls::solve(
            *gpu, {1e-8, 50, {}}, [&](const Sizes& sizes, std::uint64_t n) { return problem.bits_of(sizes, n); },
            [](const mcls::OuterStep&) {});
        EXPECT_LE(steps.back().residual, 1e-8);
        mcls::require_residual(problem.system, gpu->x(), steps.back().residual);
        EXPECT_LT(mcls::relative_error(gpu->x(), mcls::solution_of(problem.splitting)), 1e-5);
    }
}

}  // namespace
