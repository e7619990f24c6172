// How large tallies may become.
#include "kernels/mcls/analysis/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/mcls/analysis/histories.hpp"

namespace {

using namespace mcls;

// -x_(i-1) + 2 x_i - x_(i+1) = 1, with x_i = i (n + 1 - i) / 2.
Splitting slow_system(std::uint32_t n) {
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i + 1 < n; i++) {
        entries.push_back({i, i + 1, 0.5});
        entries.push_back({i + 1, i, 0.5});
    }
    return {.h = sparse(n, entries), .b = std::vector(n, 0.5)};
}

// The spectral radius of H is 1 - 5.4e-5.
TEST(TallySize, IsExactWhereTheSeriesConvergesSlowly) {
    const Splitting splitting = slow_system(300);
    const double middle = 150 * 151 / 2.0;
    EXPECT_NEAR(tally_size(absorbing(splitting, Method::adjoint)).mean, middle, 1e-3 * middle);
    EXPECT_NEAR(tally_size(absorbing(splitting, Method::forward)).of_entry, middle, 1e-3 * middle);
}

/// What x has beyond its first terms, over x, by its elements.
double left_out_after(std::uint64_t steps, int n) {
    std::vector<double> mean(n, 0.5);
    for (std::uint64_t step = 0; step < steps; step++) {
        std::vector<double> next(n, 0.5);
        for (int i = 0; i < n; i++) {
            next[i] += ((i > 0 ? mean[i - 1] : 0) + (i + 1 < n ? mean[i + 1] : 0)) / 2;
        }
        mean = next;
    }
    double squares = 0, norm = 0;
    for (int i = 0; i < n; i++) {
        const double x = 0.5 * (i + 1) * (n - i);
        squares += (x - mean[i]) * (x - mean[i]);
        norm += x * x;
    }
    return std::sqrt(squares / norm);
}

TEST(Ends, AreWhatStepsLeaveOut) {
    constexpr int n = 60;
    const auto splitting = std::make_shared<const Splitting>(slow_system(n));
    for (const std::uint64_t steps : {20, 1'000}) {
        const double expected = left_out_after(steps, n);
        const std::pair<const char*, Histories> all[] = {
            {"adjoint", almost_optimal(*splitting, Method::adjoint, steps)},
            {"forward", almost_optimal(*splitting, Method::forward, steps)},
            {"guided", guided(*splitting, 10, steps)},
        };
        for (const auto& [name, histories] : all) {
            SCOPED_TRACE(testing::Message() << name << ", " << steps << " steps");
            bench::SolutionOf what = {.entries = n,
                                      .bits = 30,
                                      .histories = 10'000,
                                      .share = histories.method == Method::adjoint ? 1 : 1.0 / n,
                                      .length = {static_cast<double>(steps)},
                                      .generator = "none",
                                      .soundness = bench::Soundness::not_tested};
            const Ends ends = add_moments(what, splitting, histories, {});
            EXPECT_NEAR(ends.of_steps, expected, 1e-6 * expected);
            EXPECT_EQ(ends.of_cutoff, 0);
            EXPECT_NEAR(what.norm, std::sqrt(n * (n + 1.0) * (n + 2.0) * (n * n + 2.0 * n + 2) / 120), 1e-6 * what.norm)
                << "that of x, and not of the mean of the histories";
            double squares = 0;
            for (const double left : what.ends.of_functionals) squares += left * left;
            EXPECT_NEAR(std::sqrt(squares / 64) / what.norm, expected, 0.5 * expected);
        }
    }
}

}  // namespace
