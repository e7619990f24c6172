// Every version draws the streams that it promises: its replays, summed over the threads of a launch, give the hits that
// tests/data/golden.py computed from the generators' definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "bench/estimands/hits/source.hpp"
#include "kernels/pi/versions.hpp"
#include "tests/host/kernels/pi/golden.hpp"

namespace {

std::uint64_t replay_launch(const bench::Step& version, const bench::StreamId& launch, unsigned iters) {
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : hits)
    for (std::uint64_t thread = 0; thread < launch.threads; thread++) {
        bench::StreamId id = launch;
        id.thread = thread;
        hits += bench::source_of(version).replay(id, iters);
    }
    return hits;
}

class GoldenCounts : public testing::TestWithParam<const bench::Step*> {
 protected:
    void SetUp() override {
        ASSERT_FALSE(cases.empty()) << version.name << " has no case in tests/data/golden_counts.json: add its streams "
                                    << "to tests/data/golden.py and run it";
    }
    const bench::Step& version = *GetParam();
    const std::vector<GoldenCase> cases = golden_cases(version.name);
};

TEST_P(GoldenCounts, AreTheSumOfTheReplays) {
    for (const GoldenCase& c : cases) {
        EXPECT_EQ(replay_launch(version, c.launch, c.iters), c.hits)
            << "seed " << c.launch.seed << ", launch " << c.launch.launch << ", " << c.launch.threads << " threads of "
            << c.iters << " samples";
    }
}

TEST_P(GoldenCounts, LieWithinFiveSigmaOfTheExpectation) {
    const double p =
        static_cast<double>(bench::source_of(version).expected.count) / bench::source_of(version).expected.total;
    for (const GoldenCase& c : cases) {
        const auto n = static_cast<double>(c.launch.threads * c.iters);
        EXPECT_LE(std::abs(static_cast<double>(c.hits) - n * p), 5 * std::sqrt(n * p * (1 - p))) << n << " samples";
    }
}

INSTANTIATE_TEST_SUITE_P(Version, GoldenCounts, testing::ValuesIn(pi::versions()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(Versions, BearTheNamesOfTheirPrograms) {
    ASSERT_FALSE(pi::versions().empty());
    ASSERT_EQ(pi::versions().size(), pi::version_names().size());
    for (std::size_t i = 0; i < pi::versions().size(); i++) {
        EXPECT_STREQ(pi::versions()[i]->name, pi::version_names()[i]);
    }
}

TEST(Versions, IncludeThatOfEveryGoldenCase) {
    std::set<std::string> names(pi::version_names().begin(), pi::version_names().end());
    names.insert("cpu_bit_sliced");
    names.insert("cpu_halving");
    for (const auto& c : test_cases("golden_counts.json", "cases")) {
        EXPECT_TRUE(names.contains(c.at("version"))) << c.at("version");
    }
}

}  // namespace
