// Launches of walkers that are counted, and those of tests/data/golden_walks.py.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/mcls/replay/replays.hpp"
#include "tests/host/kernels/mcls/golden_tallies.hpp"
#include "tests/host/kernels/mcls/walks_on.hpp"
#include "tests/host/test_data.hpp"

namespace mcls {

/// What a launch of the method publishes according to the host.
template <class Of>
std::vector<bench::Count> counts_of(const Walks& walks, std::uint64_t seed, std::uint64_t launch, bench::Shape shape) {
    bench::Launch l = {};
    l.seed = seed;
    l.index = launch;
    l.shape = shape;
    l.problem = &walks;
    return replay<Of>(l).counts;
}

/// Compares the launches of the method with the golden ones of this name.
template <class Of>
void expect_golden_counts(const char* name) {
    for (const nlohmann::json& c : test_cases("golden_walks.json", name)) {
        SCOPED_TRACE(c);
        Walks walks = walks_on(c.at("system").get<std::string>());
        walks.histories = c.at("histories");
        walks.limits.steps = c.at("steps");
        walks.scale = std::ldexp(1.0, c.at("bits"));
        const auto counts = counts_of<Of>(walks, std::stoull(c.at("seed").get<std::string>()), c.at("launch"),
                                          {c.at("blocks"), c.at("threads")});
        EXPECT_EQ(counts[histories_count], c.at("histories"));
        EXPECT_EQ(counts[transitions_count], c.at("transitions"));
        expect_tallies({counts.begin() + first_tally, counts.end()}, c);
    }
}

}  // namespace mcls
