// The CPU baseline computes what v6 computes, on any number of cores, and in vector units.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/estimands/hits/source.hpp"
#include "bench/step.hpp"
#include "tests/host/kernels/cpu_launch.hpp"

namespace pi::cpu {
extern const bench::Step step;
}
namespace pi::v6 {
extern const bench::Step step;
}

namespace {

const bench::Step& baseline = pi::cpu::step;

using bench::Count;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;

std::vector<Count> replayed(const bench::Step& step, std::uint64_t launch, unsigned iters) {
    std::vector<Count> hits;
    for (std::uint64_t thread = 0; thread < 4096; thread++) {
        hits.push_back(bench::source_of(step).replay({seed, launch, 4096, thread}, iters));
    }
    return hits;
}

std::vector<Count> hits_of_launch(std::uint64_t index, unsigned iters, unsigned threads) {
    return published_on_cpu(baseline, seed, index, iters, threads);
}

TEST(CpuBaseline, ALaunchIs4096Streams) { EXPECT_EQ(baseline.cpu.streams, 4096u); }

TEST(CpuBaseline, HitsAreThoseOfTheStreamsOfV6) {
    for (const unsigned iters : {1u, 2u, 3u, 33u, 1000u}) {
        for (const std::uint64_t launch : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{1} << 40}) {
            const auto hits = hits_of_launch(launch, iters, 2);
            EXPECT_EQ(hits, replayed(pi::v6::step, launch, iters)) << iters << " samples, launch " << launch;
            EXPECT_EQ(hits, replayed(baseline, launch, iters)) << iters << " samples, launch " << launch;
        }
    }
}

TEST(CpuBaseline, HitsDoNotDependOnTheNumberOfThreads) {
    for (const unsigned iters : {3u, 33u}) {
        const auto hits = replayed(pi::v6::step, 7, iters);
        for (unsigned threads = 1; threads <= 5; threads++) {
            EXPECT_EQ(hits_of_launch(7, iters, threads), hits) << threads << " threads, " << iters << " samples";
        }
    }
}

TEST(CpuBaseline, IsJudgedLikeV6) {
    const bench::Expectation expected = bench::hits_of(*baseline.estimand).source.expected;
    EXPECT_EQ(expected.count, bench::source_of(pi::v6::step).expected.count);
    EXPECT_EQ(expected.total, bench::source_of(pi::v6::step).expected.total);
}

// By the compiler's own report. The only loop that it can vectorise in that file is the sampling loop.
TEST(CpuBaseline, LoopIsVectorisedForAvx2AndAvx512) {
#if !defined(__x86_64__) || !defined(__GNUC__) || defined(__clang__)
    GTEST_SKIP() << "the loop is compiled for AVX2 and AVX-512 by g++ on x86-64 only";
#elif defined(WITHOUT_OPTIMIZATION)
    GTEST_SKIP() << "a Debug build is not vectorised";
#else
    std::ifstream file(VECTORISATION_REPORT);
    ASSERT_TRUE(file) << "no report " << VECTORISATION_REPORT;
    const std::string report(std::istreambuf_iterator<char>(file), {});
    const auto expect_vectors_of = [&](const std::string& bytes) {
        const std::string line = "loop vectorized using " + bytes + " byte vectors";
        EXPECT_NE(report.find(line), std::string::npos) << "no \"" << line << "\" in the report:\n" << report;
    };
    expect_vectors_of("64");
    if (__GNUC__ < 12) GTEST_SKIP() << "g++ 11 clones no function for AVX2: see kernels/cpu/clones.hpp";
    expect_vectors_of("32");
#endif
}

}  // namespace
