// Tallies as tests/data/golden_walks.json has them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

/// Compares their sum, their checksum and the entries that the case lists.
inline void expect_tallies(const std::vector<std::int64_t>& tallies, const nlohmann::json& c) {
    std::uint64_t sum = 0, checksum = 0;
    for (std::size_t j = 0; j < tallies.size(); j++) {
        sum += static_cast<std::uint64_t>(tallies[j]);
        checksum += (j + 1) * static_cast<std::uint64_t>(tallies[j]);
    }
    EXPECT_EQ(static_cast<std::int64_t>(sum), c.at("sum"));
    EXPECT_EQ(checksum, c.at("checksum").get<std::uint64_t>());
    for (const nlohmann::json& tally : c.at("tallies")) {
        EXPECT_EQ(tallies.at(tally[0]), tally[1]) << "entry " << tally[0];
    }
}
