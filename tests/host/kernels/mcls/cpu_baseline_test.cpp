// The walks of the program for the CPU: those of tests/data/golden_walks.py, and faults that their verdict finds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/own_options.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/tables/walks.hpp"
#include "tests/host/kernels/cpu_launch.hpp"
#include "tests/host/kernels/mcls/golden_tallies.hpp"
#include "tests/host/test_data.hpp"

namespace mcls::cpu {
extern const bench::Step step;
}

namespace {

using bench::Count;
using mcls::Walks;
using nlohmann::json;

constexpr std::uint64_t seed = 1234;

bench::Step settled(const bench::OwnValues& values) {
    bench::Step step = mcls::cpu::step;
    bench::settle_own(values, step);
    return step;
}

std::vector<Count> launch(const bench::Step& step, const Walks& walks, std::uint64_t index, unsigned threads = 2) {
    return published_on_cpu(step, seed, index, 1, threads, &walks);
}

bool is_walked_here(const json& c) {
    const bool built_quickly = c.at("system") == "tiny4" || c.at("system") == "lap2d";
    return built_quickly && c.at("method") == "adjoint" && c.at("table") == "alias" && !c.at("absorbing") &&
           c.at("first") == 0;
}

TEST(CpuWalks, GiveTheGoldenTallies) {
    unsigned cases = 0;
    for (const json& c : test_cases("golden_walks.json", "walks")) {
        if (!is_walked_here(c)) continue;
        SCOPED_TRACE(c);
        bench::OwnValues values = {{"system", c.at("system")},
                                   {"steps", std::to_string(c.at("steps").get<int>())},
                                   {"histories", std::to_string(c.at("histories").get<int>())}};
        if (const double cutoff = c.at("cutoff"); cutoff > 0) values["cutoff"] = std::to_string(cutoff * 1e6) + "e-6";
        const bench::Step step = settled(values);
        Walks walks = mcls::walks_of(step.own.problem.get());
        walks.scale = std::ldexp(1.0, c.at("bits").get<int>());
        const std::vector<Count> counts = launch(step, walks, c.at("launch"));
        EXPECT_EQ(counts[mcls::transitions_count], c.at("transitions"));
        EXPECT_EQ(counts[mcls::histories_count], c.at("histories"));
        expect_tallies({counts.begin() + mcls::first_tally, counts.end()}, c);
        cases++;
    }
    EXPECT_EQ(cases, 4);
}

TEST(CpuWalks, DoNotDependOnTheNumberOfThreads) {
    const bench::Step step = settled({{"histories", "1000"}});
    const Walks& walks = mcls::walks_of(step.own.problem.get());
    for (const unsigned threads : {2u, 3u, 7u}) {
        EXPECT_EQ(launch(step, walks, 5, threads), launch(step, walks, 5, 1));
    }
}

TEST(CpuWalks, AreThoseOfTheReplay) {
    const bench::Step step = settled({{"histories", "1000"}});
    bench::Launch replayed = {bench::spec_of(step, seed, {1, 1}, 1)};
    replayed.index = 5;
    replayed.problem = step.own.problem.get();
    const Walks& walks = mcls::walks_of(replayed.problem);
    EXPECT_EQ(mcls::difference(walks.replay(replayed), launch(step, walks, 5)), "");
}

/// Walks on lap2d, whose tables may have a fault.
class CpuVerdict : public testing::Test {
 protected:
    void judge() const {
        judge_launches(step_, seed, 1, 8, [&](std::uint64_t k) { return launch(step_, walks_, k); });
    }

    bench::Step step_ = settled({{"histories", "2000"}});
    Walks walks_ = mcls::walks_of(step_.own.problem.get());
};

TEST_F(CpuVerdict, PassesSoundWalks) { EXPECT_NO_THROW(judge()); }

TEST_F(CpuVerdict, FindsARowThatLeadsAlwaysToTheSameState) {
    for (std::uint32_t slot = 1; slot < 4; slot++) walks_.alias.slots[435 * 4 + slot] = walks_.alias.slots[435 * 4];
    EXPECT_THROW(judge(), bench::VerdictError);
}

TEST_F(CpuVerdict, FindsFactorsThatAreOneInAThousandTooLarge) {
    for (double& factor : walks_.alias.factors) factor *= 1.001;
    EXPECT_THROW(judge(), bench::VerdictError);
}

}  // namespace
