// The words that a10 to a12 write to memory are those of v6, in its order.
#include "kernels/arrays/shared/philox_quad.cuh"

#include <gtest/gtest.h>

#include <string>

#include "tests/host/test_data.hpp"

namespace {

std::uint64_t hits_of_thread(std::uint64_t seed, std::uint64_t subsequence, unsigned iters) {
    std::uint64_t hits = 0;
    for (unsigned first = 0; first < iters; first += arrays::samples_per_quad) {
        const arrays::Quad quad = arrays::make_quad(seed, subsequence, first / arrays::samples_per_quad);
        hits += arrays::hits_of_quad(quad, iters - first);
    }
    return hits;
}

TEST(PhiloxQuads, HaveTheGoldenHitsOfV6) {
    unsigned cases = 0;
    for (const nlohmann::json& c : test_cases("golden_counts.json", "cases")) {
        if (c.at("version") != "v6") continue;
        const std::uint64_t seed = std::stoull(c.at("seed").get<std::string>());
        const std::uint64_t threads = c.at("threads"), launch = c.at("launch");
        std::uint64_t hits = 0;
        for (std::uint64_t t = 0; t < threads; t++) hits += hits_of_thread(seed, launch * threads + t, c.at("iters"));
        EXPECT_EQ(hits, c.at("hits")) << c;
        cases++;
    }
    EXPECT_GT(cases, 0u);
}

}  // namespace
