// The rates of a run.
#include "bench/record.hpp"

#include <gtest/gtest.h>

#include "tests/host/bench/sample_runs.hpp"

namespace {

using namespace sample_runs;

TEST(PerNs, SummarisesTheLaunches) {
    const bench::Summary rates = per_ns(run());
    EXPECT_DOUBLE_EQ(rates.median, 0.5);
    EXPECT_DOUBLE_EQ(rates.min, 0.25);
    EXPECT_DOUBLE_EQ(rates.max, 1);
    EXPECT_FALSE(rates.interval_is_95);
}

TEST(PerNs, IntervalIsThatOfTheTimes) {
    auto ten = run();
    ten.kernel_ms = {1, 4, 1.25, 2.5, 2, 2, 2, 2, 2, 2};
    const bench::Summary rates = per_ns(ten);
    EXPECT_DOUBLE_EQ(rates.low, 0.4);
    EXPECT_DOUBLE_EQ(rates.median, 0.5);
    EXPECT_DOUBLE_EQ(rates.high, 0.8);
    EXPECT_TRUE(rates.interval_is_95);
}

// Four path-steps in three launches: 1 1/3 each, in 2 ms.
TEST(PerNs, IsOfTheWorkThatWasDone) {
    auto uneven = run();
    uneven.tally = tally_of({1, 0, 3});
    EXPECT_DOUBLE_EQ(per_ns(uneven).median, 4.0 / 3 / 2e6);
}

}  // namespace
