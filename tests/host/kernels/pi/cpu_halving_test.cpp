// The CPU step that draws one bit at a time: each instruction set of this machine counts what numpy and the replay count, on any number
// of cores.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "kernels/pi/shared/halving_replay.hpp"
#include "kernels/random/draws.cuh"
#include "tests/host/kernels/cpu_launch.hpp"
#include "tests/host/kernels/pi/golden.hpp"

namespace pi::halving {
extern const bench::Step step;
}

namespace {

using bench::Count;
using bench::StreamId;
using pi::halving::Clone;
using pi::halving::replay_team;
using pi::halving::step;

class CpuHalving : public testing::TestWithParam<Clone> {
 protected:
    static std::uint64_t hits_of(const StreamId& team, unsigned samples) {
        return pi::halving::hits_of_team<rng::ShiftedMrgDraws>(GetParam().made.shifted, team, samples);
    }
};

TEST_P(CpuHalving, CountsWhatNumpyCountsInEveryLoop) {
    unsigned long_ones = 0;
    for (const auto& [id, iters, hits] : golden_cases(step.name)) {
        if (id.threads != 1) continue;
        EXPECT_EQ(hits_of(id, iters), hits) << iters << " samples";
        long_ones += iters >= step.loops_from ? 1 : 0;
    }
    EXPECT_GT(long_ones, 0u) << "no such case in tests/data/golden_counts.json";
}

TEST_P(CpuHalving, CountsWhatTheReplayCounts) {
    for (const unsigned samples : {1u, 31u, 32u, 33u, 641u, 20'479u, 300'000u}) {
        for (const unsigned team : {0u, step.cpu.streams - 1}) {
            const StreamId id = {0xdeadbeefcafef00d, std::uint64_t{1} << 40, step.cpu.streams, team};
            EXPECT_EQ(hits_of(id, samples), replay_team(id, samples)) << samples << " samples, team " << team;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, CpuHalving, testing::ValuesIn(pi::halving::clones()),
                         [](const auto& info) { return "clone" + std::to_string(info.index); });

TEST(CpuHalvingStep, HitsAreThoseCountedInNumpyOnAnyNumberOfThreads) {
    unsigned launches = 0;
    for (const auto& [id, iters, hits] : golden_cases(step.name)) {
        if (id.threads != step.cpu.streams) continue;
        for (const unsigned threads : {1u, 3u}) {
            const std::vector<Count> counts = published_on_cpu(step, id.seed, id.launch, iters, threads);
            EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), Count{0}), hits) << iters << " samples";
        }
        launches++;
    }
    EXPECT_GT(launches, 0u) << "no case in tests/data/golden_counts.json";
}

}  // namespace
