// The CPU step on counted paths: each instruction set of this machine counts what single histories of v16 count, on any number of
// cores.
#include "kernels/mcls/cpu_counted_paths.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/mcls/replay/replays.hpp"
#include "tests/host/kernels/cpu_launch.hpp"
#include "tests/host/kernels/mcls/walks_on.hpp"

namespace mcls::counted_paths {
extern const bench::Step step;
}

namespace {

using bench::Count;
using mcls::Walks;
using mcls::counted_paths::Clone;
using mcls::counted_paths::step;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;

class CountedPaths : public testing::TestWithParam<Clone> {
 protected:
    static void expect_replayed(const Walks& walks, std::uint64_t index, unsigned threads) {
        std::vector<Count> counts(mcls::first_tally + walks.n, bench::unwritten);
        bench::Launch launch = {bench::spec_of(step, seed, {1, threads}, 1)};
        launch.index = index;
        launch.problem = &walks;
        launch.counts = counts.data();
        const auto equipment = step.equip(launch);
        launch.equipment = equipment.get();
        mcls::counted_paths::walk(GetParam(), launch);
        EXPECT_EQ(mcls::difference(mcls::replay_quarter_paths_one_by_one(launch), counts), "")
            << walks.histories << " histories, launch " << index << ", " << threads << " threads";
    }
};

TEST_P(CountedPaths, CountsWhatTheReplayCounts) {
    Walks walks = mcls::walks_on("lap2d");
    for (const std::uint64_t histories : {2, 31, 255, 257, 20'000}) {
        walks.histories = histories;
        for (const unsigned threads : {1u, 3u}) {
            for (const std::uint64_t index : {0u, 1u << 31}) expect_replayed(walks, index, threads);
        }
    }
}

TEST_P(CountedPaths, CountsMorePathsOfACellThan16BitsHold) {
    Walks walks = mcls::walks_on({{2, {0, 1, 2}, {1, 0}, {0.75, 0.75}}, {1, 1}});
    walks.histories = 2'000'000;  // 1.7 paths of each, in 32 cells
    expect_replayed(walks, 0, 1);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, CountedPaths, testing::ValuesIn(mcls::counted_paths::clones()),
                         [](const auto& info) { return "clone" + std::to_string(info.index); });

}  // namespace
