// Every step of normals is replayed: floats made of its normals pass, and other ones do not.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "kernels/normals/versions.hpp"
#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/shared/published_sums.cuh"
#include "kernels/random/normals/exact_normals.hpp"

namespace {

using bench::Count;
using bench::Step;

using Sums = options::PublishedSums<normals::squares_bits, normals::sum_bits>;

constexpr unsigned blocks = 16;  // the fewest of which a step of pools has an error estimate
constexpr unsigned looked_at = 2;

std::vector<const Step*> all_steps() {
    std::vector<const Step*> all = normals::versions();
    for (const Step* step : normals::ablations()) all.push_back(step);
    for (const Step* step : normals::versions()) all.push_back(bench::others_of(*step).at(0));
    return all;
}

class NormalsReplay : public testing::TestWithParam<const Step*> {
 protected:
    const bench::MeansOf& what() const { return bench::means_of(*GetParam()->estimand); }

    bench::LaunchSpec spec() const {
        const unsigned threads = what().replay.together > 1 ? what().replay.together : 32;
        return bench::spec_of(*GetParam(), 99, {blocks, threads}, normals::usual_groups);
    }

    bench::Replay replay() const { return GetParam()->estimand->replay(spec(), nullptr, 512).value(); }

    std::string difference(unsigned block, const std::vector<Count>& counts) const {
        return bench::difference(replay(), bench::rehearsed_launch, block, counts);
    }

    /// What the launch publishes that is replayed. The squares are `scale` times too large.
    std::vector<Count> published(float scale = 1, std::uint64_t launch = bench::rehearsed_launch) const {
        std::vector<Count> counts(blocks * Sums::columns);
        const std::uint64_t threads = spec().shape.threads;
        for (unsigned block = 0; block < blocks; block++) {
            Sums sums;
            for (std::uint64_t t = block * threads; t < (block + 1) * threads; t += what().replay.together) {
                what().replay.numbers({99, launch, spec().streams, t}, replay().spec.iters, [&](const double* v) {
                    sums.add(static_cast<float>(v[0] * normals::normals_per_group) * scale,
                             static_cast<float>(v[1] * normals::normals_per_group));
                });
            }
            for (unsigned c = 0; c < Sums::columns; c++) counts[c * blocks + block] = sums.column(c);
        }
        return counts;
    }
};

TEST_P(NormalsReplay, OfItsOwnLaunchPasses) {
    const auto counts = published();
    EXPECT_EQ(counts[0], Count{spec().shape.threads} * replay().spec.iters);
    for (unsigned block = 0; block < looked_at; block++) EXPECT_EQ(difference(block, counts), "");
}

TEST_P(NormalsReplay, FindsAnotherBlockLaunchOrScale) {
    auto swapped = published();
    for (unsigned c = 0; c < Sums::columns; c++) std::swap(swapped[c * blocks], swapped[c * blocks + 1]);
    for (unsigned block = 0; block < looked_at; block++) {
        EXPECT_NE(difference(block, swapped), "");
        EXPECT_NE(difference(block, published(1, 2)), "");
        EXPECT_NE(difference(block, published(1.001f)), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Ladder, NormalsReplay, testing::ValuesIn(all_steps()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(ExactNormals, HaveTheDistributionFunctionOfTheirWord) {
    std::mt19937 words;
    for (int i = 0; i < 100'000; i++) {
        const auto word = static_cast<std::uint32_t>(words() >> i % 32);
        const double z = rng::exact_inverse_cdf(word), tail = (word + 0.5) * 0x1p-32;
        EXPECT_NEAR(std::erfc(-z / std::numbers::sqrt2) / 2 / tail, 1, 2e-13) << word;
        EXPECT_EQ(rng::exact_inverse_cdf(~word), -z);
    }
}

}  // namespace
