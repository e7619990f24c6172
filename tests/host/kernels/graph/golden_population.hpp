// Walks as tests/data/golden_graph.json has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/graph/shared/population.hpp"
#include "tests/host/test_data.hpp"

struct GoldenPopulation {
    std::uint64_t seed, launch;
    unsigned threads;
    graph::Population population;
    std::vector<bench::Count> published;
    std::uint64_t checksum;  // of the walks at each vertex in the end
};

inline std::vector<GoldenPopulation> golden_populations() {
    std::vector<GoldenPopulation> cases;
    for (const auto& c : test_cases("golden_graph.json", "cases")) {
        const std::uint64_t walks = c.at("walks");
        const auto steps = static_cast<unsigned>(c.at("visits").size());
        std::vector<bench::Count> published(graph::counts_of_population({}));
        published[bench::transitions_count] = walks * steps;
        published[bench::histories_count] = walks;
        for (unsigned step = 0; step < steps; step++) {
            for (unsigned quarter = 0; quarter < graph::quarters; quarter++) {
                published[graph::visits_count(quarter, step)] = c.at("visits")[step][quarter];
            }
        }
        cases.push_back({std::stoull(c.at("seed").get<std::string>()),
                         c.at("launch"),
                         c.at("threads"),
                         {graph::log2_of_replay, walks, steps},
                         published,
                         c.at("checksum")});
    }
    return cases;
}
