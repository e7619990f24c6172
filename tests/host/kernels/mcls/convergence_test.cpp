// Proofs that walks solve a system, and the lines that refuse one.
#include "kernels/mcls/analysis/convergence.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/system/systems.hpp"

namespace {

using namespace mcls;

std::string refusal(const auto& act) {
    try {
        act();
    } catch (const bench::UsageError& error) {
        return error.what();
    }
    return "accepted";
}

// x_i = a x_j + 1 for two states.
Splitting pair(double a) { return {.h = sparse(2, std::vector<Entry>{{0, 1, a}, {1, 0, a}}), .b = {1, 1}}; }

TEST(Convergence, IsRefusedIfTermsGrow) {
    EXPECT_EQ(refusal([] { require_convergence(pair(10)); }),
              "Neumann series diverges: residual grew from 1.0 to 1e+05 in 5 sweeps");
    EXPECT_EQ(refusal([] { require_convergence(pair(1.00005)); }),
              "Neumann series diverges: residual grew from 1.0 to 2.7 in 20000 sweeps");  // 1.00005^20000 is nearly e
    EXPECT_EQ(refusal([] { require_convergence(pair(0.99)); }), "accepted");
}

TEST(Convergence, IsNotShownIfTermsNeitherGrowNorShrink) {
    EXPECT_EQ(refusal([] { require_convergence(pair(-1)); }),
              "Neumann series not shown to converge: residual still 1 after 20000 sweeps");
    // Terms (0, 0, 1), (3, 0, 0), (0, 3, 0), (3, 0, 0), ...
    const Splitting turns{.h = sparse(3, std::vector<Entry>{{0, 1, 1}, {0, 2, 3}, {1, 0, 1}}), .b = {0, 0, 1}};
    EXPECT_EQ(refusal([&] { require_convergence(turns); }),
              "Neumann series not shown to converge: residual still 3 after 20000 sweeps");
}

TEST(Convergence, IsRefusedIfTermsOverflow) {
    EXPECT_EQ(refusal([] { require_convergence(pair(1e300)); }).substr(0, 40),
              "Neumann series diverges: residual grew f");
}

TEST(SecondMoments, AreFiniteInBuiltInSystems) {
    for (const char* name : {"lap2d", "sp1", "tiny4"}) {
        EXPECT_TRUE(second_moments_shown(almost_optimal(jacobi(built_in(name)), Method::adjoint, 100)).finite) << name;
    }
    EXPECT_EQ(refusal([] {
                  require_finite_variance(
                      second_moments_shown(almost_optimal(jacobi(built_in("lap2d")), Method::forward, 100)));
              }),
              "accepted");
}

// The spectral radius is 1.996.
TEST(SecondMoments, AreRefusedForForwardWalksOnSp1) {
    const std::string line = refusal([] {
        require_finite_variance(second_moments_shown(almost_optimal(jacobi(built_in("sp1")), Method::forward, 100)));
    });
    EXPECT_EQ(line.substr(0, 47), "second moments not shown finite: max Ĥ^k 1 sti");
    EXPECT_NE(line.find("--infinite-variance times it without an estimate"), std::string::npos);
}

// No sum of a row is below 1 before all states of a cycle are visited.
TEST(SecondMoments, OfALongCycleAreFinite) {
    constexpr std::uint32_t n = 21'000;
    std::vector<Entry> entries{{n - 1, 0, 0.5}};
    for (std::uint32_t i = 0; i + 1 < n; ++i) entries.push_back({i, i + 1, 1});
    const Splitting cycle{.h = sparse(n, entries), .b = std::vector<double>(n, 1)};
    EXPECT_EQ(second_moments_shown(almost_optimal(cycle, Method::forward, 100)).steps, n);
}

// At radius 1 nothing is shown. A state that leads into a component with a large entry does not matter.
TEST(SecondMoments, DependOnComponentsAlone) {
    EXPECT_EQ(
        refusal([] { require_finite_variance(second_moments_shown(almost_optimal(pair(1), Method::forward, 100))); }),
        "second moments not shown finite: max Ĥ^k 1 still 1 after 20000 steps; the spectral radius of |H| is about 1; "
        "--infinite-variance times it without an estimate");
    EXPECT_EQ(
        refusal([] {
            require_finite_variance(second_moments_shown(almost_optimal(pair(1), Method::forward, 100)), false);
        }),
        "second moments not shown finite: max Ĥ^k 1 still 1 after 20000 steps; the spectral radius of |H| is about 1");
    const Splitting chain{.h = sparse(3, std::vector<Entry>{{0, 1, 50}, {1, 2, 0.5}, {2, 1, 0.5}}), .b = {1, 1, 1}};
    const SecondMoments shown = second_moments_shown(almost_optimal(chain, Method::forward, 100));
    EXPECT_TRUE(shown.finite);
    EXPECT_EQ(shown.steps, 1u);
}

}  // namespace
