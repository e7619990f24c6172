// What launches say about each other.
#include "bench/estimands/chance/launches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "bench/errors.hpp"

namespace {

bool extremes_pass(const std::vector<std::uint64_t>& launches) {
    bench::CountSums sums = {launches.size()};
    for (const std::uint64_t hits : launches) {
        sums.sum += hits;
        sums.sum_of_squares += bench::Uint128{hits} * hits;
        sums.least = std::min(sums.least, hits);
        sums.most = std::max(sums.most, hits);
    }
    try {
        bench::judge_extremes(sums, "hits");
        return true;
    } catch (const bench::VerdictError&) {
        return false;
    }
}

// Fifteen numbers around 10^9 and one that is off. Its distance from the mean of the others, over their standard
// deviation and over the root of 1 + 1 / 15, follows Student's t with 14 degrees of freedom. One of 16 numbers exceeds
// 10.797 as rarely as one number exceeds 5 sd. The others have a variance of 20 (squares of 280 over 14), so it may be
// off by 49.87.
TEST(JudgeExtremes, AllowsWhatChanceAllowsTheFarthestOfAll) {
    std::vector<std::uint64_t> launches(16);
    std::iota(launches.begin(), launches.end(), 1'000'000'000);
    const std::uint64_t mean = 1'000'000'007;
    for (const auto& [off, passes] : {std::pair{49, true}, {50, false}, {10'000, false}, {-49, true}, {-50, false}}) {
        launches.back() = mean + static_cast<std::uint64_t>(off);
        EXPECT_EQ(extremes_pass(launches), passes) << off;
    }
}

TEST(JudgeExtremes, AmongEqualNumbersNoneMayDiffer) {
    std::vector<std::uint64_t> launches(16, 5'000'000'000);
    EXPECT_TRUE(extremes_pass(launches));
    launches[3]++;
    EXPECT_FALSE(extremes_pass(launches));
}

TEST(JudgeExtremes, OfFewNumbersSaysNothing) {
    std::vector<std::uint64_t> launches(15, 5'000'000'000);
    launches[3] = 0;
    EXPECT_TRUE(extremes_pass(launches));
}

}  // namespace
