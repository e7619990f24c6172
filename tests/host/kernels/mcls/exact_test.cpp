// How large tallies may become.
#include "kernels/mcls/analysis/exact.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kernels/mcls/analysis/histories.hpp"

namespace {

using namespace mcls;

// -x_(i-1) + 2 x_i - x_(i+1) = 1, with x_i = i (n + 1 - i) / 2. The spectral radius of H is 1 - 5.4e-5.
TEST(TallySize, IsExactWhereTheSeriesConvergesSlowly) {
    constexpr std::uint32_t n = 300;
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i + 1 < n; i++) {
        entries.push_back({i, i + 1, 0.5});
        entries.push_back({i + 1, i, 0.5});
    }
    const Splitting splitting{.h = sparse(n, entries), .b = std::vector(n, 0.5)};
    const double middle = 150 * 151 / 2.0;
    EXPECT_NEAR(tally_size(absorbing(splitting, Method::adjoint)).mean, middle, 1e-3 * middle);
    EXPECT_NEAR(tally_size(absorbing(splitting, Method::forward)).of_entry, middle, 1e-3 * middle);
}

}  // namespace
