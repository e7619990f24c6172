// The sums of a long series, backward.
#include "kernels/mcls/analysis/last_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bench/errors.hpp"

namespace {

/// 1 + 1/2 + 1/4 + ... in each state.
mcls::LastSums halves(std::uint32_t n, std::uint64_t steps, std::uint64_t reach) {
    mcls::Sparse m{.n = n, .first = {0}, .column = {}, .value = {}};
    for (std::uint32_t state = 0; state < n; ++state) {
        m.column.push_back(state);
        m.value.push_back(0.5);
        m.first.push_back(state + 1);
    }
    return {m, std::vector<double>(n, 1), 0, steps, reach};
}

TEST(LastSums, AreThoseAfterEachStepFromTheLastOne) {
    for (const std::uint64_t reach : {0, 1, 15, 16, 17, 40}) {
        std::vector<double> found, expected;
        halves(1, 40, reach).backward([&](const std::vector<double>& sum) { found.push_back(sum[0]); });
        for (std::uint64_t step = 40 + 1; step-- > 40 - reach;) {
            expected.push_back(2 - std::ldexp(1, -static_cast<int>(step)));
        }
        EXPECT_EQ(found, expected) << reach;
    }
}

TEST(LastSums, ThatDoNotFitIntoTheMemoryAreRefused) {
    EXPECT_THROW(halves(100'000, 100'000'000'000'000, 100'000'000'000'000), bench::UsageError);
}

}  // namespace
