// The rates of a run.
#include "bench/record/record.hpp"

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
    ten.work.assign(10, 1e6);
    const bench::Summary rates = per_ns(ten);
    EXPECT_DOUBLE_EQ(rates.low, 0.4);
    EXPECT_DOUBLE_EQ(rates.median, 0.5);
    EXPECT_DOUBLE_EQ(rates.high, 0.8);
    EXPECT_TRUE(rates.interval_is_95);
}

// Launches of 4, 1 and 2 ms do 2, 4 and 6 million path-steps: 0.5, 4 and 3 a nanosecond. Of the median time and the mean
// work it would be 2.
TEST(PerNs, IsOfTheWorkOfEachTiming) {
    auto uneven = run();
    uneven.work = {2e6, 4e6, 6e6};
    uneven.tally = tally_of({2'000'000, 4'000'000, 6'000'000});
    const bench::Summary rates = per_ns(uneven);
    EXPECT_DOUBLE_EQ(rates.median, 3);
    EXPECT_DOUBLE_EQ(rates.min, 0.5);
    EXPECT_DOUBLE_EQ(rates.max, 4);
}

}  // namespace
