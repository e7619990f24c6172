// Hits per stream: figures worked by hand, true binomial draws pass, and each kind of fault shows where it should.
#include "quality/dispersion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace {

using quality::Dispersion;
using quality::dispersion;
using Hits = std::vector<std::uint32_t>;
using Random = std::mt19937_64;

constexpr double significant = 1e-6;

// Expected hits 2, variance 1, kurtosis 2.5.
TEST(Dispersion, OfFourStreamsByHand) {
    const Dispersion d = dispersion(Hits{1, 3, 2, 4}, 4, 0.5);
    EXPECT_EQ(d.streams, 4u);
    EXPECT_EQ(d.iters, 4u);
    EXPECT_DOUBLE_EQ(d.mean_z, 2 / std::sqrt(4.0));
    EXPECT_DOUBLE_EQ(d.variance_ratio, (1 + 1 + 0 + 4) / 4.0);
    EXPECT_DOUBLE_EQ(d.variance_sd, std::sqrt(1.5 / 4));
    EXPECT_DOUBLE_EQ(d.neighbour_correlation, (-1 * 1 + 1 * 0 + 0 * 2) / 3.0);
    EXPECT_NEAR(d.p_mean, 0.317311, 1e-6);  // z 1
    EXPECT_NEAR(d.p_variance, std::erfc(0.5 / std::sqrt(1.5 / 4) / std::sqrt(2.0)), 1e-9);
    EXPECT_NEAR(d.p_neighbours, std::erfc(1 / std::sqrt(3.0) / std::sqrt(2.0)), 1e-9);  // sd 1 / sqrt(3)
}

// Expected hits 1, variance 3/4: the two kinds of outcome are not alike.
TEST(Dispersion, OfARareHitByHand) {
    const Dispersion d = dispersion(Hits{0, 0, 4, 1}, 4, 0.25);
    EXPECT_DOUBLE_EQ(d.mean_z, 1 / std::sqrt(3.0));
    EXPECT_DOUBLE_EQ(d.variance_ratio, (1 + 1 + 9 + 0) / 3.0);
    EXPECT_DOUBLE_EQ(d.neighbour_correlation, (1 - 3 + 0) / (3 * 0.75));
}

// 80 streams, of which 5, 20, 30, 20, 5 are expected to hit 0 to 4 times: cells of 25 {0, 1}, 30 {2} and 25 {3, 4}, as
// 4 alone would stay below 10.
TEST(Dispersion, HistogramByHand) {
    Hits hits;
    for (const auto& [streams, value] : {std::pair{10u, 0u}, {15u, 1u}, {24u, 2u}, {30u, 3u}, {1u, 4u}}) {
        hits.insert(hits.end(), streams, value);
    }
    const Dispersion d = dispersion(hits, 4, 0.5);
    EXPECT_EQ(d.dof, 2u);
    EXPECT_NEAR(d.chi2, 36 / 30.0 + 36 / 25.0, 1e-9);
    EXPECT_NEAR(d.p_histogram, 2 * std::exp(-2.64 / 2), 1e-9);
}

// 144 streams expect 9 without a hit, which share a cell with those of one; 176 expect 11.
TEST(Dispersion, CellsExpectTenStreamsOrMore) {
    EXPECT_EQ(dispersion(Hits(144, 2), 4, 0.5).dof, 2u);
    EXPECT_EQ(dispersion(Hits(176, 2), 4, 0.5).dof, 4u);
}

TEST(Dispersion, OfTooFewStreamsForAHistogramSaysNothing) {
    const Dispersion d = dispersion(Hits{1, 3, 2, 4}, 4, 0.5);
    EXPECT_EQ(d.dof, 0u);
    EXPECT_EQ(d.p_histogram, 1);
}

// The fourth central moment, summed over all outcomes.
TEST(Dispersion, SdOfTheVarianceFollowsFromTheFourthMoment) {
    for (const unsigned iters : {2u, 6u, 25u}) {
        for (const double p : {0.1, 0.5, 0.785}) {
            double fourth = 0, choose = 1;
            for (unsigned k = 0; k <= iters; k++) {
                fourth += choose * std::pow(p, k) * std::pow(1 - p, iters - k) * std::pow(k - iters * p, 4);
                choose *= static_cast<double>(iters - k) / (k + 1);
            }
            const double variance = iters * p * (1 - p), streams = 9;
            const Dispersion d = dispersion(Hits(9, 1), iters, p);
            EXPECT_NEAR(d.variance_sd, std::sqrt((fourth / (variance * variance) - 1) / streams), 1e-7)
                << iters << " samples of " << p;
        }
    }
}

constexpr std::size_t streams = 20'000;
constexpr unsigned iters = 400;
constexpr double p = 0.5;  // mean 200, sd 10

/// Hits of `streams` streams, each by `draw`.
Hits drawn(const std::function<std::uint32_t(Random&)>& draw) {
    Random random(2024);
    Hits hits(streams);
    for (std::uint32_t& h : hits) {
        h = draw(random);
    }
    return hits;
}

std::uint32_t binomial(Random& random, unsigned of_iters, double of_p) {
    return static_cast<std::uint32_t>(std::binomial_distribution<int>(static_cast<int>(of_iters), of_p)(random));
}

TEST(Dispersion, PassesBinomialDraws) {
    for (const double of_p : {0.5, 0.785398, 0.02}) {
        const Hits hits = drawn([&](Random& random) { return binomial(random, iters, of_p); });
        const Dispersion d = dispersion(hits, iters, of_p);
        for (const double probability : {d.p_mean, d.p_variance, d.p_histogram, d.p_neighbours}) {
            EXPECT_GT(probability, 1e-3) << "p " << of_p;
            EXPECT_LE(probability, 1) << "p " << of_p;
        }
    }
}

TEST(Dispersion, FindsTooLittleVariance) {
    const Hits hits = drawn([](Random& random) { return 100 + binomial(random, iters / 2, p); });
    const Dispersion d = dispersion(hits, iters, p);
    EXPECT_NEAR(d.variance_ratio, 0.5, 0.03);
    EXPECT_LT(d.p_variance, significant);
    EXPECT_LT(d.p_histogram, significant);
    EXPECT_GT(d.p_neighbours, significant);
}

TEST(Dispersion, FindsTooMuchVariance) {
    const Hits hits = drawn([](Random& random) { return 2 * binomial(random, iters / 2, p); });
    const Dispersion d = dispersion(hits, iters, p);
    EXPECT_NEAR(d.variance_ratio, 2, 0.1);
    EXPECT_LT(d.p_variance, significant);
    EXPECT_LT(d.p_histogram, significant);
}

// 3/4 of a hit: 10.6 sd of the mean.
TEST(Dispersion, FindsAShiftedMean) {
    const Hits hits = drawn([](Random& random) { return binomial(random, iters, p + 0.75 / iters); });
    const Dispersion d = dispersion(hits, iters, p);
    EXPECT_NEAR(d.mean_z, 10.6, 4);
    EXPECT_LT(d.p_mean, significant);
    EXPECT_GT(d.p_variance, significant);
}

TEST(Dispersion, FindsAWrongShapeOfTheRightMeanAndVariance) {
    const Hits hits = drawn([](Random& random) { return random() % 2 == 0 ? 190u : 210u; });
    const Dispersion d = dispersion(hits, iters, p);
    EXPECT_NEAR(d.variance_ratio, 1, 1e-9);
    EXPECT_GT(d.p_mean, significant);
    EXPECT_GT(d.p_variance, significant);
    EXPECT_LT(d.p_histogram, significant);
}

// Values missing, as where streams have a grain: every other count never comes.
TEST(Dispersion, FindsCountsThatLieTooEvenly) {
    const double share = 1 / std::sqrt(2 * 3.14159265358979 * iters * p * (1 - p));
    Hits hits;
    for (int k = 150; k <= 250; k++) {
        const double z = (k - iters * p) / 10;
        hits.insert(hits.end(), static_cast<std::size_t>(std::lround(streams * share * std::exp(-z * z / 2))),
                    static_cast<std::uint32_t>(k));
    }
    const Dispersion d = dispersion(hits, iters, p);
    EXPECT_LT(d.chi2, d.dof / 4.0);
    EXPECT_LT(d.p_histogram, significant);
}

TEST(Dispersion, FindsNeighboursThatAgree) {
    std::uint32_t last = 0;
    int calls = 0;
    const Hits hits =
        drawn([&](Random& random) { return last = calls++ % 2 == 0 ? binomial(random, iters, p) : last; });
    const Dispersion d = dispersion(hits, iters, p);
    EXPECT_NEAR(d.neighbour_correlation, 0.5, 0.05);
    EXPECT_LT(d.p_neighbours, significant);
    EXPECT_GT(d.p_mean, significant);
}

TEST(Dispersion, FindsNeighboursThatAvoidEachOther) {
    std::uint32_t last = 0;
    int calls = 0;
    const Hits hits =
        drawn([&](Random& random) { return last = calls++ % 2 == 0 ? binomial(random, iters, p) : iters - last; });
    const Dispersion d = dispersion(hits, iters, p);
    EXPECT_NEAR(d.neighbour_correlation, -0.5, 0.05);
    EXPECT_LT(d.p_neighbours, significant);
}

}  // namespace
