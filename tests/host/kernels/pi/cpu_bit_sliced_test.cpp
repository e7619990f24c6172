// The bit-sliced CPU step: each instruction set of this machine counts what the replay counts, on any number of cores.
#include "kernels/pi/cpu_bit_sliced.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "kernels/pi/shared/bit_sliced_replay.hpp"
#include "kernels/random/draws.cuh"
#include "tests/host/kernels/cpu_launch.hpp"
#include "tests/host/kernels/pi/golden.hpp"

namespace pi::bit_sliced {
extern const bench::Step step;
}

namespace {

using bench::Count;
using pi::bit_sliced::Clone;
using pi::bit_sliced::hits_of_stream;
using pi::bit_sliced::step;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;

std::uint64_t replay(std::uint64_t launch, unsigned stream, unsigned iters) {
    return pi::replay_bit_sliced<rng::AlternatingMrgDraws, pi::deep_octant, 16>(
        {seed, launch, step.cpu.streams, stream}, iters);
}

std::vector<Count> hits_of_launch(std::uint64_t index, unsigned iters, unsigned threads) {
    return published_on_cpu(step, seed, index, iters, threads);
}

bench::Launch launch_of(std::uint64_t index, unsigned iters) {
    bench::Launch launch = {bench::spec_of(step, seed, {1, 1}, iters)};
    launch.index = index;
    return launch;
}

class CpuBitSliced : public testing::TestWithParam<Clone> {};

TEST_P(CpuBitSliced, CountsWhatNumpyCountsInTripsOfEveryLevel) {
    unsigned trips = 0;
    for (const auto& [id, iters, hits] : golden_cases(step.name)) {
        if (id.threads != 1 || iters < step.loops_from) continue;
        bench::Launch launch = {bench::spec_of(step, id.seed, {1, 1}, iters)};
        launch.index = id.launch;
        EXPECT_EQ(hits_of_stream(GetParam(), launch, 0), hits) << iters << " samples";
        trips++;
    }
    EXPECT_GT(trips, 0u) << "no such case in tests/data/golden_counts.json";
}

// A million samples are more than a trip of every level's loop but the last one's.
TEST_P(CpuBitSliced, CountsWhatTheReplayCounts) {
    for (const unsigned iters : {1u, 7u, 31u, 33u, 511u, 512u, 513u, 20'000u, 1'000'000u}) {
        for (const std::uint64_t launch : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
            for (const unsigned stream : {0u, step.cpu.streams - 1}) {
                EXPECT_EQ(hits_of_stream(GetParam(), launch_of(launch, iters), stream), replay(launch, stream, iters))
                    << iters << " samples, launch " << launch << ", stream " << stream;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, CpuBitSliced, testing::ValuesIn(pi::bit_sliced::clones()),
                         [](const auto& info) { return "clone" + std::to_string(info.index); });

TEST(CpuBitSlicedStep, HitsAreThoseOfItsStreamsOnAnyNumberOfThreads) {
    constexpr unsigned iters = 700;
    std::vector<Count> hits;
    for (unsigned stream = 0; stream < step.cpu.streams; stream++) hits.push_back(replay(7, stream, iters));
    for (const unsigned threads : {1u, 2u, 3u}) EXPECT_EQ(hits_of_launch(7, iters, threads), hits) << threads;
}

TEST(CpuBitSlicedStep, HitsAreThoseCountedInNumpy) {
    unsigned launches = 0;
    for (const auto& [id, iters, hits] : golden_cases(step.name)) {
        if (id.threads != step.cpu.streams) continue;
        const auto counts = published_on_cpu(step, id.seed, id.launch, iters);
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), Count{0}), hits) << iters << " samples";
        launches++;
    }
    EXPECT_GT(launches, 0u) << "no case in tests/data/golden_counts.json";
}

}  // namespace
