// Flows of walkers give the tallies of tests/data/golden_walks.py.
#include "kernels/mcls/problem/flows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "bench/cli/errors.hpp"
#include "kernels/mcls/problem/splitting.hpp"
#include "tests/host/kernels/mcls/golden_tallies.hpp"
#include "tests/host/test_data.hpp"

namespace {

using mcls::FlowOutcome;
using nlohmann::json;

FlowOutcome flows(const mcls::Splitting& system, std::uint64_t walkers, std::uint64_t seed, std::uint32_t launch,
                  std::uint32_t generations = 100000) {
    const mcls::PhiloxKeys keys = mcls::keys_of(seed);
    return replay_flows(mcls::flow_table(transposed(system.h)), mcls::flow_starts(system.b, walkers, keys, launch),
                        keys, launch, generations);
}

TEST(Flows, GiveTheGoldenTallies) {
    for (const json& c : test_cases("golden_walks.json", "flows")) {
        SCOPED_TRACE(c);
        const FlowOutcome outcome = flows(jacobi(mcls::built_in(c.at("system").get<std::string>())), c.at("walkers"),
                                          std::stoull(c.at("seed").get<std::string>()), c.at("launch"));
        EXPECT_EQ(outcome.generations, c.at("generations"));
        expect_tallies(outcome.tallies, c);
    }
}

TEST(Flows, StartWithAllWalkers) {
    const mcls::Splitting system = jacobi(mcls::built_in("sp1"));
    for (const std::uint64_t walkers : {std::uint64_t{1}, std::uint64_t{1000003}, std::uint64_t{1} << 62}) {
        const auto counts = mcls::flow_starts(system.b, walkers, mcls::keys_of(5), 1);
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), static_cast<std::int64_t>(walkers));
    }
}

TEST(Flows, SplitWhereRowsExceedOne) {
    // Every walker becomes 1.5 on average; after 10 generations there are 1.5^10 times as many.
    const mcls::Splitting system = {.h = {.n = 2, .first = {0, 1, 2}, .column = {1, 0}, .value = {1.5, 1.5}},
                                    .b = {1, 1}};
    const FlowOutcome shorter = flows(system, 1000000, 1, 0, 9), longer = flows(system, 1000000, 1, 0, 10);
    const auto sum = [](const auto& v) { return std::accumulate(v.begin(), v.end(), std::int64_t{0}); };
    EXPECT_NEAR(static_cast<double>(sum(longer.tallies) - sum(shorter.tallies)), 1e6 * std::pow(1.5, 10), 1000);
    EXPECT_EQ(longer.generations, 10u);
}

TEST(Flows, RefuseMoreWalkersThanTheirArithmeticHolds) {
    const mcls::Splitting system = jacobi(mcls::built_in("tiny4"));
    EXPECT_THROW(flows(system, std::uint64_t{1} << 40, 1, 0), bench::UsageError);
}

}  // namespace
