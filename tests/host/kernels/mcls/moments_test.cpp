// Moments of small systems against dense matrices.
#include "kernels/mcls/analysis/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/analysis/history_ends.hpp"
#include "kernels/mcls/system/systems.hpp"
#include "tests/host/kernels/mcls/dense_moments.hpp"

namespace {

using namespace mcls;
using dense::Matrix;
using dense::Vector;

// Poisson's equation on 6 x 5 points: one component with a band of 6.
Splitting grid() {
    constexpr std::uint32_t width = 6, height = 5;
    std::vector<Entry> entries;
    Vector b;
    for (std::uint32_t i = 0; i < width * height; ++i) {
        for (const auto& [inside, next] : {std::pair{i % width > 0, i - 1},
                                           {i % width + 1 < width, i + 1},
                                           {i >= width, i - width},
                                           {i + width < width * height, i + width}}) {
            if (inside) {
                entries.push_back({i, next, 0.25});
            }
        }
        b.push_back(1 + i % 3);
    }
    return {.h = sparse(width * height, entries), .b = b};
}

// 24 states in blocks of three that lead downwards only, with entries of both signs: components 0 and 3 and 6 ..., interleaved as
// the groups of sp1 are. State 23 is apart, and no history starts at states 1, 4, 7, ...
Splitting blocks() {
    std::vector<Entry> entries;
    Vector b;
    for (std::uint32_t i = 0; i < 24; ++i) {
        const std::uint32_t block = i % 3;
        if (i + 3 < 23) {
            entries.push_back({i, i + 3, 0.3});
            entries.push_back({i + 3, i, -0.25});
        }
        if (block > 0 && i < 23) {
            entries.push_back({i, i - 1, 0.4});
        }
        b.push_back(i % 3 == 1 ? 0 : i % 5 - 2.5);
    }
    return {.h = sparse(24, entries), .b = b};
}

// Probabilities in multiples of 2^-8, as tables realise them with 2^-32.
Histories rounded(Histories histories) {
    for (double& p : histories.probability) {
        p = std::max(1.0, std::floor(p * 256)) / 256;
    }
    return histories;
}

Histories limited(Histories histories, std::uint64_t steps) {
    histories.steps = steps;
    return histories;
}

Histories stratified(Histories histories, std::uint64_t strata) {
    histories.strata = strata;
    return histories;
}

struct Case {
    std::string name;
    Histories histories;

    friend void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }
};

class MomentsOf : public testing::TestWithParam<Case> {
 protected:
    const Histories& histories() const { return GetParam().histories; }
    const dense::Moments expected = dense::moments(GetParam().histories);
    const Moments moments{GetParam().histories};
};

void expect_near(double value, double expected, double scale) { EXPECT_NEAR(value, expected, 1e-8 * scale); }

Vector coefficients(std::size_t k, std::uint32_t n) {
    Vector result;
    for (std::uint32_t i = 0; i < n; ++i) {
        result.push_back(sign(signs_of(i), k));
    }
    return result;
}

TEST_P(MomentsOf, HaveTheMean) {
    for (std::size_t i = 0; i < expected.mean.size(); ++i) {
        EXPECT_NEAR(moments.mean()[i], expected.mean[i], 1e-12);
    }
}

TEST_P(MomentsOf, HaveTheCovarianceOfFunctionals) {
    const FunctionalMoments found = moments.functionals();
    for (std::size_t k = 0; k < functionals; ++k) {
        const Vector c = coefficients(k, histories().b.n);
        EXPECT_NEAR(found.mean[k], dense::dot(c, expected.mean), 1e-10);
        const double scale = found.covariance[k * functionals + k];
        for (std::size_t l = 0; l < functionals; l += 7) {
            expect_near(found.covariance[k * functionals + l],
                        dense::between(c, expected.covariance, coefficients(l, histories().b.n)), 1 + scale);
        }
    }
}

TEST_P(MomentsOf, HaveTheVarianceOfEveryEntry) {
    const Pools pools = moments.pools(1, 0);
    ASSERT_EQ(pools.size(), expected.mean.size());
    double total = 0;
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
        ASSERT_EQ(pools.states_of(pool).size(), 1u);
        const std::uint32_t state = pools.states_of(pool)[0];
        expect_near(pools.law[pool].variance, expected.covariance[state][state], 1 + expected.covariance[state][state]);
        EXPECT_NEAR(pools.law[pool].mean, expected.mean[state], 1e-12);
        total += expected.covariance[state][state];
    }
    expect_near(moments.total_variance(), total, 1 + total);
}

TEST_P(MomentsOf, HaveTheVarianceOfPools) {
    std::size_t longest = 0;
    for (const double visits : {0.2, 0.5, 1.5, 4.0}) {
        const Pools pools = moments.pools(1, visits);
        for (std::size_t pool = 0; pool < pools.size(); ++pool) {
            Vector c(expected.mean.size());
            for (const std::uint32_t state : pools.states_of(pool)) {
                c[state] += 1;
            }
            expect_near(pools.law[pool].variance, dense::between(c, expected.covariance, c),
                        1 + pools.law[pool].variance);
            EXPECT_NEAR(pools.law[pool].mean, dense::dot(c, expected.mean), 1e-12);
            longest = std::max(longest, pools.states_of(pool).size());
        }
    }
    EXPECT_GT(longest, 1u);
}

std::vector<Case> cases() {
    std::vector<Case> result;
    const Splitting tiny4 = jacobi(built_in("tiny4"));
    for (const auto& [name, splitting] : {std::pair{"tiny4", tiny4}, {"grid", grid()}, {"blocks", blocks()}}) {
        for (const auto& [manner, method] : {std::pair{"adjoint", Method::adjoint}, {"forward", Method::forward}}) {
            for (const std::uint64_t steps : {0, 3, 10, 400}) {
                result.push_back({std::string(name) + "_" + manner + "_" + std::to_string(steps),
                                  almost_optimal(splitting, method, steps)});
            }
            result.push_back(
                {std::string(name) + "_" + manner + "_absorbing", limited(absorbing(splitting, method), 400)});
            result.push_back(
                {std::string(name) + "_" + manner + "_absorbing_5", limited(absorbing(splitting, method), 5)});
            result.push_back(
                {std::string(name) + "_" + manner + "_rounded", rounded(almost_optimal(splitting, method, 400))});
        }
    }
    for (const auto& [name, splitting] : {std::pair{"tiny4", tiny4}, {"grid", grid()}, {"blocks", blocks()}}) {
        for (const std::uint64_t strata : {2, 7, 40}) {
            const std::string ending = "_strata_" + std::to_string(strata);
            result.push_back({name + ending, stratified(almost_optimal(splitting, Method::adjoint, 400), strata)});
            result.push_back(
                {name + ending + "_short", stratified(almost_optimal(splitting, Method::adjoint, 3), strata)});
        }
    }
    return result;
}

INSTANTIATE_TEST_SUITE_P(Small, MomentsOf, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

TEST(Moments, LeaveOutStatesThatAreNotJudged) {
    const Histories histories = almost_optimal(blocks(), Method::adjoint, 1000);
    std::vector<std::uint8_t> judged(24);
    for (std::uint32_t i = 0; i < 24; ++i) {
        judged[i] = i % 3 != 2 && i != 9;
    }
    const Moments moments(histories, judged);
    const dense::Moments expected = dense::moments(histories);
    Vector c = coefficients(5, 24);
    std::vector<std::uint32_t> pooled;
    for (std::uint32_t i = 0; i < 24; ++i) {
        c[i] *= judged[i];
    }
    const FunctionalMoments found = moments.functionals();
    EXPECT_NEAR(found.mean[5], dense::dot(c, expected.mean), 1e-12);
    EXPECT_NEAR(found.covariance[5 * functionals + 5], dense::between(c, expected.covariance, c), 1e-8);
    const Pools pools = moments.pools(10, 15);
    for (const std::uint32_t state : pools.state) {
        EXPECT_TRUE(judged[state]) << state;
    }
    EXPECT_FALSE(moments.squared_residual(1).has_value());
}

// A pool has enough visits; each state is in at most one, next to others of its component.
TEST(Moments, PoolNeighboursUntilTheyHaveEnoughHistories) {
    const Pools pools = Moments(almost_optimal(blocks(), Method::forward, 1000)).pools(100, 250);
    std::vector<std::uint32_t> states = pools.state;
    std::sort(states.begin(), states.end());
    for (std::uint32_t i = 0; i < 23; ++i) {  // 23 is alone in its component
        ASSERT_LT(i, states.size());
        EXPECT_EQ(states[i], i);
    }
    EXPECT_EQ(states.size(), 23u);
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
        const auto members = pools.states_of(pool);
        EXPECT_GE(members.size(), 3u);
        for (std::size_t i = 1; i < members.size(); ++i) {
            EXPECT_EQ(members[i], members[i - 1] + 3);
        }
    }
}

TEST(Moments, PoolFewerStatesForMoreHistories) {
    const Moments moments(almost_optimal(grid(), Method::adjoint, 1000));
    EXPECT_LT(moments.pools(1e3, 1e4).size(), moments.pools(1e5, 1e4).size());
    EXPECT_EQ(moments.pools(1e9, 1e4).size(), 30u);
    EXPECT_EQ(moments.pools(1, 1e4).size(), 0u);
}

// The residual's covariance, (I - H) C (I - H)^T / N, dense.
TEST(SquaredResidual, HasTheMomentsOfANormalVector) {
    std::vector<std::pair<Splitting, Histories>> cases;
    for (const Splitting& splitting : {jacobi(built_in("tiny4")), grid(), blocks()}) {
        cases.push_back({splitting, almost_optimal(splitting, Method::adjoint, 400)});
    }
    // No stratum has starts at two states of the grid, whose b adds up to 60.
    cases.push_back({grid(), stratified(almost_optimal(grid(), Method::adjoint, 400), 120)});
    for (const auto& [splitting, histories] : cases) {
        Matrix complement = dense::matrix(splitting.h, splitting.h.value);
        for (std::size_t i = 0; i < complement.size(); ++i) {
            for (std::size_t j = 0; j < complement.size(); ++j) {
                complement[i][j] = (i == j ? 1 : 0) - complement[i][j];
            }
        }
        const Matrix left = dense::product(complement, dense::moments(histories).covariance);
        double trace = 0, squares = 0;
        for (std::size_t i = 0; i < left.size(); ++i) {
            for (std::size_t j = 0; j < left.size(); ++j) {
                const double covariance = dense::dot(left[i], complement[j]);
                trace += i == j ? covariance : 0;
                squares += covariance * covariance;
            }
        }
        const auto law = Moments(histories).squared_residual(1e4);
        ASSERT_TRUE(law.has_value());
        EXPECT_NEAR(law->mean, trace / 1e4, 1e-9 * trace / 1e4);
        EXPECT_NEAR(law->variance, 2 * squares / 1e8, 2e-9 * squares / 1e8);
    }
}

TEST(SquaredResidual, IsUnknownForForwardAndForShortHistories) {
    EXPECT_FALSE(Moments(almost_optimal(grid(), Method::forward, 1000)).squared_residual(1).has_value());
    EXPECT_FALSE(Moments(almost_optimal(grid(), Method::adjoint, 10)).squared_residual(1).has_value());
}

// From the probabilities that a history has at least l transitions.
TEST(Transitions, AreCountedUntilAbsorption) {
    for (const Splitting& splitting : {jacobi(built_in("tiny4")), grid(), blocks()}) {
        const Histories histories = absorbing(splitting, Method::adjoint);
        const Matrix chain = dense::matrix(histories.b, histories.probability);
        Vector at = histories.start;
        double mean = 0, second = 0;
        for (int l = 1; l < 2000; ++l) {
            at = dense::product({at}, chain)[0];
            const double alive = std::accumulate(at.begin(), at.end(), 0.0);
            mean += alive;
            second += (2 * l - 1) * alive;
        }
        const auto found = transitions(histories);
        ASSERT_TRUE(found.has_value());
        EXPECT_NEAR(found->mean, mean, 1e-9);
        EXPECT_NEAR(found->variance, second - mean * mean, 1e-8);
    }
}

TEST(Transitions, SpreadLessWithStrata) {
    for (const std::uint64_t strata : {3, 20}) {
        const Histories histories = stratified(absorbing(grid(), Method::adjoint), strata);
        Histories visits = limited(histories, 1000);  // of weight 1
        visits.b.value = visits.probability;
        visits.source = visits.start;
        const dense::Moments expected = dense::moments(visits);
        double variance = 0;
        for (const Vector& row : expected.covariance) {
            variance = std::accumulate(row.begin(), row.end(), variance);
        }
        const auto found = transitions(histories);
        ASSERT_TRUE(found.has_value());
        EXPECT_NEAR(found->variance, variance, 1e-8);
        EXPECT_EQ(found->mean, transitions(stratified(histories, 0))->mean);
    }
}

TEST(Transitions, AreAllStepsWithoutAbsorption) {
    const auto found = transitions(almost_optimal(grid(), Method::adjoint, 10'000));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->mean, 10'000);
    EXPECT_EQ(found->variance, 0);
}

// 0.8^93 is the first power below 1e-9.
TEST(Transitions, EndAtTheCutoffIfFactorsAreEqual) {
    std::vector<Entry> ring;
    for (std::uint32_t i = 0; i < 10; ++i) {
        ring.push_back({i, (i + 1) % 10, 0.4});
        ring.push_back({i, (i + 9) % 10, -0.4});
    }
    const Splitting splitting{.h = sparse(10, ring), .b = Vector(10, 1)};
    const auto found = transitions(almost_optimal(splitting, Method::adjoint, 10'000, 1e-9));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->mean, 93);
    EXPECT_EQ(transitions(almost_optimal(splitting, Method::adjoint, 50, 1e-9))->mean, 50);
}

TEST(Transitions, AreUnknownWithACutoffAndFactorsThatDiffer) {
    EXPECT_FALSE(transitions(almost_optimal(grid(), Method::adjoint, 10'000, 1e-9)).has_value());
}

// 0.1^9 is the cutoff: tables hold probabilities in multiples of 2^-32, so that some histories fall below it and others do not.
TEST(Transitions, AreUnknownIfAPowerOfTheFactorMeetsTheCutoff) {
    for (const std::uint32_t neighbours : {2u, 3u}) {
        std::vector<Entry> ring;
        for (std::uint32_t i = 0; i < 10; ++i) {
            for (std::uint32_t next = 1; next <= neighbours; ++next) {
                ring.push_back({i, (i + next) % 10, 0.1 / neighbours});
            }
        }
        const Splitting splitting{.h = sparse(10, ring), .b = Vector(10, 1)};
        EXPECT_FALSE(transitions(almost_optimal(splitting, Method::adjoint, 10'000, 1e-9)).has_value());
        EXPECT_EQ(transitions(almost_optimal(splitting, Method::adjoint, 10'000, 2e-9))->mean, 9);
        EXPECT_EQ(transitions(almost_optimal(splitting, Method::adjoint, 5, 1e-9))->mean, 5);
    }
}

TEST(Guided, GoWhereSweepsSayThatTheSolutionIsLarge) {
    const Splitting splitting{.h = sparse(2, std::vector<Entry>{{0, 0, 0.25}, {0, 1, -0.25}, {1, 0, 0.25}}),
                              .b = {1, 1}};
    const Histories histories = guided(splitting, 2, 100);
    EXPECT_EQ(histories.method, Method::forward);
    // Ones become (1.5, 1.25), and these (1.6875, 1.375).
    EXPECT_DOUBLE_EQ(histories.probability[0], 1.6875 / 3.0625);
    EXPECT_DOUBLE_EQ(histories.probability[1], 1.375 / 3.0625);
    EXPECT_EQ(histories.probability[2], 1);
}

TEST(Guided, AreAlmostOptimalWithoutSweeps) {
    EXPECT_EQ(guided(blocks(), 0, 100).probability, almost_optimal(blocks(), Method::forward, 100).probability);
}

TEST(Guided, HaveNoVarianceIfTheGuideIsTheSolution) {
    const double without = Moments(guided(grid(), 0, 10'000)).total_variance();
    EXPECT_GT(without, 1);
    EXPECT_LT(Moments(guided(grid(), 20, 10'000)).total_variance(), without);
    EXPECT_NEAR(Moments(guided(grid(), 1'000, 10'000)).total_variance(), 0, 1e-9 * without);
}

TEST(Guided, AreRefusedIfSweepsOverflow) {
    const Splitting growing{.h = sparse(2, std::vector<Entry>{{0, 1, 10}, {1, 0, -10}}), .b = {1, 1}};
    try {
        guided(growing, 400, 100);
        FAIL();
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(), "--sweeps: the estimate of |x| overflows after 400 sweeps");
    }
}

TEST(Absorbing, RefusesRowsAboveOne) {
    const Splitting splitting{.h = sparse(2, std::vector<Entry>{{0, 1, 0.5}, {1, 0, -1.25}}), .b = {1, 1}};
    try {
        absorbing(splitting, Method::forward);
        FAIL();
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(), "absorption needs every row sum of |H| <= 1: row 2 has 1.2500");
    }
    try {
        absorbing(splitting, Method::adjoint);
        FAIL();
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(), "absorption needs every column sum of |H| <= 1: column 1 has 1.2500");
    }
}

// All paths, until the weight falls below the cutoff.
void walk(const Histories& histories, std::uint32_t state, double weight, double scale, std::uint64_t step,
          Vector& mean) {
    mean[state] += scale * weight;
    if (step == histories.steps || std::abs(weight) < histories.cutoff) {
        return;
    }
    for (std::uint64_t entry = histories.b.first[state]; entry < histories.b.first[state + 1]; ++entry) {
        const double p = histories.probability[entry];
        walk(histories, histories.b.column[entry], weight * histories.b.value[entry] / p, scale * p, step + 1, mean);
    }
}

TEST(CutoffBias, BoundsTheBias) {
    const Histories histories = almost_optimal(jacobi(built_in("tiny4")), Method::adjoint, 60, 0.05);
    Vector mean(4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        if (histories.start[i] > 0) {
            walk(histories, i, 1, histories.source[i], 0, mean);
        }
    }
    const Moments moments(histories);
    double worst = 0;
    for (std::size_t k = 0; k < functionals; ++k) {
        const Vector c = coefficients(k, 4);
        worst = std::max(worst, std::abs(dense::dot(c, mean) - dense::dot(c, moments.mean())));
    }
    EXPECT_GT(worst, 5e-4);
    EXPECT_LE(worst, cutoff_bias(histories));
    EXPECT_LE(cutoff_bias(histories), 0.05 * 1.75 * 2);  // cutoff, |b|, most that a weight of 1 adds after its visit
}

// With |B| = (0 p; q 0) the row sums of (I - |B|)^-1 |B| are (1 + p) / (1 - p q) - 1 and the same with q for p. A first weight is
// the sum of |b|.
TEST(CutoffBias, IsTheLargestRowSumTimesTheLargestWeightThatIsLeftOut) {
    const std::vector<Entry> entries = {{0, 0, 1}, {0, 1, 0.5}, {1, 0, -0.25}, {1, 1, 1}};
    const System system = {.name = "two", .a = sparse(2, entries), .b = {1, -3}};
    const double row_sum = 1.5 / (1 - 0.5 * 0.25) - 1;
    EXPECT_NEAR(cutoff_bias(almost_optimal(jacobi(system), Method::adjoint, 60, 0.05)), 0.05 * 4 * row_sum, 1e-9);
}

// With H = (0 1/2; 1/4 0) a sweep makes d = (1.5, 3.25) of ones, and x = (2.5, 3.25) / 0.875. A history of at most 5 % of the
// largest d that ends in state i leaves out (x - b)_i / d_i of its weight.
TEST(CutoffBias, OfWeightsInUnitsIsThatOfTheLargestUnit) {
    const Splitting splitting{.h = sparse(2, std::vector<Entry>{{0, 1, 0.5}, {1, 0, 0.25}}), .b = {1, 3}};
    const Histories histories = guided(splitting, 1, 60, 0.05, /*in_units=*/true);
    EXPECT_EQ(histories.unit, (Vector{1.5, 3.25}));
    EXPECT_NEAR(cutoff_bias(histories), 0.05 * 3.25 * (2.5 / 0.875 - 1) / 1.5, 1e-12);
}

TEST(CutoffBias, ScalesWithTheRightHandSide) {
    System small = built_in("tiny4");
    small.b = {0, 1e-12, 0, 2e-12};
    EXPECT_LE(cutoff_bias(almost_optimal(jacobi(small), Method::adjoint, 60, 0.05)), 0.05 * 3e-12 * 2);
}

TEST(CutoffBias, IsNoneWithoutACutoff) { EXPECT_EQ(cutoff_bias(almost_optimal(grid(), Method::adjoint, 100)), 0); }

// Words of Philox4x32-10 by an implementation in Python.
TEST(Functionals, HaveTheSignsOfPhilox) {
    EXPECT_EQ(signs_of(0), 0xd75ee2f14d7b25fcu);
    EXPECT_EQ(signs_of(12345), 0x42091b9a10e0f8ffu);
    EXPECT_EQ(sign(0b10, 0), 1);
    EXPECT_EQ(sign(0b10, 1), -1);
}

}  // namespace
