// Hits that tests/data/golden.py computed from the generators' definitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/step.hpp"
#include "tests/host/test_data.hpp"

struct GoldenCase {
    bench::StreamId launch;  // of its thread 0
    unsigned iters;
    std::uint64_t hits;
};

inline std::vector<GoldenCase> golden_cases(const std::string& version) {
    std::vector<GoldenCase> cases;
    for (const auto& c : test_cases("golden_counts.json", "cases")) {
        if (c.at("version") == version) {
            cases.push_back({{std::stoull(c.at("seed").get<std::string>()), c.at("launch"), c.at("threads"), 0},
                             c.at("iters"),
                             c.at("hits")});
        }
    }
    return cases;
}
