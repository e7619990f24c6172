// Normals of the CPU: MT19937 against the standard library's, the ziggurat against the normal distribution.
#include "kernels/random/normals/ziggurat.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "kernels/random/normals/ziggurat_replay.hpp"

namespace {

using rng::Ziggurat;
using rng::ZigguratNormals;

TEST(Mt19937, GivesTheWordsOfTheStandardLibrary) {
    for (const std::uint32_t seed : {5489u, 0u, ~0u}) {
        std::mt19937 standard(seed);
        rng::Mt19937Sequence sequence(seed);
        // Within a block, to its end, none, over whole blocks, and with a part of one at both ends.
        for (const std::size_t n : {1u, 622u, 1u, 0u, 1248u, 5u, 1250u, 623u, 10'000u}) {
            std::vector<std::uint32_t> words(n + 1, 7), expected(n);
            sequence.fill(words.data(), n);
            for (std::uint32_t& word : expected) word = static_cast<std::uint32_t>(standard());
            expected.push_back(7);  // what lies behind them stays
            ASSERT_EQ(words, expected) << "seed " << seed << ", " << n << " words";
        }
    }
}

std::vector<float> normals_of(const bench::StreamId& id, std::size_t n) {
    std::vector<float> normals(n);
    ZigguratNormals(id).fill(normals);
    return normals;
}

double normal_tail(double x) { return std::erfc(x / std::numbers::sqrt2); }  // both sides

/// The share of |z| > x, in standard deviations from the expectation.
double tail_sigma(const std::vector<float>& normals, double x) {
    const auto n = static_cast<double>(normals.size());
    const auto beyond = static_cast<double>(
        std::count_if(normals.begin(), normals.end(), [=](float z) { return std::abs(z) > static_cast<float>(x); }));
    const double p = normal_tail(x);
    return (beyond - n * p) / std::sqrt(n * p * (1 - p));
}

TEST(ZigguratNormals, HaveTheMomentsAndTailsOfTheNormalDistribution) {
    const auto normals = normals_of({1, 0, 1, 0}, 10'000'000);
    const auto n = static_cast<double>(normals.size());
    double sums[5] = {};
    for (const double z : normals) {
        double power = 1;
        for (double& sum : sums) {
            sum += power;
            power *= z;
        }
    }
    EXPECT_LT(std::abs(sums[1] / std::sqrt(n)), 4);
    EXPECT_LT(std::abs(sums[2] - n) / std::sqrt(2 * n), 4);
    EXPECT_LT(std::abs(sums[3]) / std::sqrt(15 * n), 4);
    EXPECT_LT(std::abs(sums[4] - 3 * n) / std::sqrt(96 * n), 4);
    for (const double x : {0.1, 0.5, 1.0, 2.0, 3.0, 3.4, Ziggurat::tail, 3.5, 4.0, 4.5}) {
        EXPECT_LT(std::abs(tail_sigma(normals, x)), 4.5) << "|z| > " << x;
    }
}

// A tail or a wedge that is always or never taken would show in fewer bins than these.
TEST(ZigguratNormals, FillEveryBinAsTheNormalDistributionDoes) {
    constexpr int bins = 400;
    constexpr double width = 0.02;
    const auto normals = normals_of({2, 0, 1, 0}, 10'000'000);
    std::vector<double> found(bins);
    for (const float z : normals) {
        const auto bin = static_cast<std::size_t>(std::abs(z) / width);
        if (bin < found.size()) found[bin]++;
    }
    double chi2 = 0;
    int used = 0;
    for (int bin = 0; bin < bins; bin++) {
        const double expected =
            static_cast<double>(normals.size()) * (normal_tail(bin * width) - normal_tail((bin + 1) * width));
        if (expected < 20) continue;
        const double off = found[static_cast<std::size_t>(bin)] - expected;
        chi2 += off * off / expected;
        used++;
    }
    EXPECT_GT(used, 200);
    EXPECT_LT(std::abs(chi2 - used) / std::sqrt(2.0 * used), 5) << chi2 << " over " << used << " bins";
}

TEST(ZigguratNormals, DoNotDependOnHowManyAreTakenAtOnce) {
    const auto whole = normals_of({3, 1, 4, 1}, 5000);
    ZigguratNormals source({3, 1, 4, 1});
    std::vector<float> pieces(5000);
    for (std::size_t done = 0; done < pieces.size(); done += 125) source.fill(std::span(pieces).subspan(done, 125));
    EXPECT_EQ(pieces, whole);
}

// Three in 100 take more than a word, and six in 10,000 are of the tail.
TEST(ZigguratNormals, AreThoseOfThePlainMethod) {
    for (const bench::StreamId& id : {bench::StreamId{3, 1, 4, 1}, bench::StreamId{~0ull, 1ull << 40, 1024, 1023}}) {
        rng::ReplayedZiggurat replayed(id);
        std::vector<float> expected(1'000'000);
        std::generate(expected.begin(), expected.end(), [&] { return replayed(); });
        EXPECT_EQ(normals_of(id, expected.size()), expected);
    }
}

TEST(ZigguratNormals, AreOthersForAnotherSeedLaunchOrStream) {
    const auto base = normals_of({1, 2, 8, 3}, 100);
    EXPECT_NE(normals_of({2, 2, 8, 3}, 100), base);
    EXPECT_NE(normals_of({1, 3, 8, 3}, 100), base);
    EXPECT_NE(normals_of({1, 2, 8, 4}, 100), base);
}

// The layers of the paper: 128 of the same area, and the edge of the last one is x[1] = 0.27232 of the paper.
TEST(Ziggurat, EndsAtTheTopOfTheCurve) {
    EXPECT_NEAR(rng::ziggurat().height[Ziggurat::layers], 1, 1e-12);
    EXPECT_NEAR(rng::ziggurat().height[Ziggurat::layers - 1] + Ziggurat::area / 0.2723208647, 1, 1e-6);
}

}  // namespace
