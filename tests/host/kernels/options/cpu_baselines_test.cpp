// The options' programs for the CPU: their paths are those of their replays in double precision, on any number of cores.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/estimands/means/means_of.hpp"
#include "bench/step.hpp"
#include "kernels/options/shared/host_exp.hpp"
#include "tests/host/kernels/cpu_launch.hpp"

namespace normals::cpu {
extern const bench::Step step;
}
namespace asian::cpu {
extern const bench::Step step;
}
namespace lookback::cpu {
extern const bench::Step step;
}

namespace {

using bench::Count;

constexpr std::uint64_t seed = 5;
constexpr unsigned streams = 1024, lanes = 64;

std::vector<Count> counts_of(const bench::Step& step, std::uint64_t index, unsigned iters, unsigned threads) {
    return published_on_cpu(step, seed, index, iters, threads);
}

class CpuBaselineOf : public testing::TestWithParam<const bench::Step*> {};

TEST_P(CpuBaselineOf, SumsDoNotDependOnTheNumberOfThreads) {
    for (const unsigned iters : {1u, lanes + 3}) {
        const auto one = counts_of(*GetParam(), 7, iters, 1);
        for (const unsigned threads : {2u, 3u, 5u}) EXPECT_EQ(counts_of(*GetParam(), 7, iters, threads), one);
    }
}

TEST_P(CpuBaselineOf, LaunchesPassTheVerdict) {
    const bench::Step& step = *GetParam();
    EXPECT_NO_THROW(
        judge_launches(step, seed, lanes, 6, [&](std::uint64_t k) { return counts_of(step, k, lanes, 2); }));
}

/// The published mean of a statistic over the numbers of a stream.
double published_mean(const std::vector<Count>& counts, unsigned statistic, unsigned stream, unsigned numbers,
                      int bits) {
    const Count places = counts[(3 + statistic) * streams + stream];
    return std::ldexp(static_cast<double>(places) / numbers - (1 << 22), -bits);
}

// More paths than go side by side, and a last batch that is not full.
TEST_P(CpuBaselineOf, EachStreamIsWhatItsReplayGives) {
    constexpr unsigned iters = 2 * lanes + 3;
    const bench::MeansOf& what = bench::means_of(*GetParam()->estimand);
    const auto counts = counts_of(*GetParam(), 1, iters, 2);
    for (const unsigned stream : {0u, 1u, 1023u}) {
        double sums[2] = {};
        unsigned numbers = 0;
        what.replay.numbers({seed, 1, streams, stream}, iters, [&](const double* statistics) {
            for (unsigned i = 0; i < 2; i++) sums[i] += statistics[i];
            numbers++;
        });
        EXPECT_EQ(numbers, iters);
        for (unsigned i = 0; i < 2; i++) {
            const double mean = published_mean(counts, i, stream, iters, what.statistics[i].bits) / what.per;
            EXPECT_NEAR(mean, sums[i] / iters, 2 * what.replay.error[i].of_one) << what.statistics[i].name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Options, CpuBaselineOf,
                         testing::Values(&normals::cpu::step, &asian::cpu::step, &lookback::cpu::step));

TEST(HostExp, IsTheExponentialFunctionWithinAFloatsError) {
    double worst = 0;
    for (float x = -80; x < 80; x += 0.00137f) {
        worst = std::max(worst, std::abs(options::host_exp(x) / std::exp(double{x}) - 1));
    }
    EXPECT_LT(worst, 1.5e-7);
    EXPECT_EQ(options::host_exp(0), 1);
}

}  // namespace
