// The replays of v15 and v18 to v23 hit as independent samples do, however few lanes of their last groups they fill.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "kernels/pi/device/expectations.hpp"
#include "kernels/pi/device/sources.hpp"
#include "quality/dispersion.hpp"

namespace {

constexpr double significant = 1e-6;

class BitSlicedReplay : public testing::TestWithParam<std::tuple<const bench::Source*, unsigned>> {};

TEST_P(BitSlicedReplay, HitsBinomially) {
    constexpr std::uint64_t threads = 8192;
    const auto [source, iters] = GetParam();
    std::vector<std::uint32_t> hits;
    for (std::uint64_t thread = 0; thread < threads; thread++) {
        hits.push_back(static_cast<std::uint32_t>(source->replay({1234, 0, threads, thread}, iters)));
    }
    const double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;
    const auto d = quality::dispersion(hits, iters, p);
    EXPECT_GT(d.p_mean, significant) << d.mean_z << " sd";
    EXPECT_GT(d.p_variance, significant) << "ratio " << d.variance_ratio;
    EXPECT_GT(d.p_histogram, significant) << d.chi2 << " with " << d.dof << " degrees of freedom";
    EXPECT_GT(d.p_neighbours, significant) << d.neighbour_correlation;
}

INSTANTIATE_TEST_SUITE_P(Iters, BitSlicedReplay,
                         testing::Combine(testing::Values(&pi::sources::bit_sliced, &pi::sources::dot_sliced,
                                                          &pi::sources::octant_sliced, &pi::sources::deep_octant_sliced,
                                                          &pi::sources::alternating_sliced),
                                          testing::Values(1u, 7u, 31u, 32u, 33u, 500u, 1001u)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)->name) + "_" +
                                    std::to_string(std::get<1>(info.param));
                         });

}  // namespace
