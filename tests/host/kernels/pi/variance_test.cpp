// The variance that a version declares of its counts, against the hits of its replayed warps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "bench/estimands/hits/hits.hpp"
#include "bench/measure/statistics.hpp"
#include "kernels/pi/versions.hpp"

namespace {

std::uint64_t hits_of_warp(const bench::Step& version, std::uint64_t warp, unsigned iters) {
    constexpr std::uint64_t lanes = 32, threads = 1 << 20;
    std::uint64_t hits = 0;
    for (std::uint64_t lane = 0; lane < lanes; lane++) {
        hits += bench::source_of(version).replay({1234, 0, threads, lanes * warp + lane}, iters);
    }
    return hits;
}

/// Variance of the hits of a warp, relative to the binomial's.
double measured_ratio(const bench::Step& version, unsigned iters, std::uint64_t warps) {
    bench::CountSums sums = {warps};
    for (std::uint64_t warp = 0; warp < warps; warp++) {
        const std::uint64_t hits = hits_of_warp(version, warp, iters);
        sums.sum += hits;
        sums.sum_of_squares += hits * hits;
    }
    const double p =
        static_cast<double>(bench::source_of(version).expected.count) / bench::source_of(version).expected.total;
    return *sums.variance() / (32.0 * iters * p * (1 - p));
}

double declared_ratio(const bench::Step& version, unsigned iters) {
    return dynamic_cast<const bench::Hits&>(*version.estimand).law(iters).variance_ratio;
}

TEST(VarianceRatio, IsThatOfTheReplayedWarps) {
    constexpr std::uint64_t warps = 2'000;
    for (const bench::Step* version : pi::versions()) {
        if (bench::hits_of(*version->estimand).independent != bench::Independent::counts) continue;
        for (const unsigned iters : {1u, 3u, 16u, 101u}) {
            const double declared = declared_ratio(*version, iters);
            EXPECT_NEAR(measured_ratio(*version, iters, warps), declared, 5 * declared * std::sqrt(2.0 / warps))
                << version->name << ", " << iters << " samples a thread";
        }
    }
}

// All pairs of 16 x and 8 y, by the header of v16t: 128 (Vx / 16 + Vy / 8 + Vxy / 128) / (p (1 - p)).
TEST(VarianceRatio, OfAllPairsIsThatOfTheHeader) {
    const double p = std::acos(-1.0) / 4, v = 2.0 / 3 - p * p, vxy = p * (1 - p) - 2 * v;
    const double ratio = 128 * (v / 16 + v / 8 + vxy / 128) / (p * (1 - p));
    for (const bench::Step* version : pi::versions()) {
        if (std::string(version->name) == "v16t") {
            EXPECT_NEAR(declared_ratio(*version, 500'000), ratio, 1e-9);
            EXPECT_NEAR(ratio, 7.5, 0.01);
        }
        if (std::string(version->name) == "v16") {
            EXPECT_EQ(declared_ratio(*version, 100'000), 1);
        }
    }
}

}  // namespace
