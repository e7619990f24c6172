// The rates of a run.
#include "bench/record.hpp"

#include <gtest/gtest.h>

#include "tests/host/bench/sample_runs.hpp"

namespace {

using namespace sample_runs;

TEST(SamplesPerNs, SummarisesTheLaunches) {
    const bench::Summary rates = samples_per_ns(run());
    EXPECT_DOUBLE_EQ(rates.median, 0.5);
    EXPECT_DOUBLE_EQ(rates.min, 0.25);
    EXPECT_DOUBLE_EQ(rates.max, 1);
    EXPECT_FALSE(rates.interval_is_95);
}

TEST(SamplesPerNs, IntervalIsThatOfTheTimes) {
    auto ten = run();
    ten.kernel_ms = {1, 4, 1.25, 2.5, 2, 2, 2, 2, 2, 2};
    const bench::Summary rates = samples_per_ns(ten);
    EXPECT_DOUBLE_EQ(rates.low, 0.4);
    EXPECT_DOUBLE_EQ(rates.median, 0.5);
    EXPECT_DOUBLE_EQ(rates.high, 0.8);
    EXPECT_TRUE(rates.interval_is_95);
}

}  // namespace
