// The rates of a run.
#include "bench/record/record.hpp"

#include <gtest/gtest.h>

#include "tests/host/bench/record/sample_runs.hpp"

namespace {

using namespace sample_runs;

TEST(PerNs, IntervalIsThatOfTheTimes) {
    auto ten = run();
    ten.measured.ms = {1, 4, 1.25, 2.5, 2, 2, 2, 2, 2, 2};
    ten.measured.work.assign(10, 1e6);
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
    uneven.measured.work = {2e6, 4e6, 6e6};
    uneven.tally = tally_of({2'000'000, 4'000'000, 6'000'000});
    const bench::Summary rates = per_ns(uneven);
    EXPECT_DOUBLE_EQ(rates.median, 3);
    EXPECT_DOUBLE_EQ(rates.min, 0.5);
    EXPECT_DOUBLE_EQ(rates.max, 4);
}

TEST(OfSeveralGpus, TheClockIsTheMedianAndThePowerTheSumIfAllAreKnown) {
    auto three = run();
    three.members.resize(3, three.members[0]);
    three.members[1].sm_clock_mhz = 900;
    three.members[2].power_w = 300;
    EXPECT_EQ(sm_clock_mhz(three), 1965.5);
    EXPECT_EQ(power_w(three), 800);
    three.members[1].power_w.reset();
    EXPECT_EQ(power_w(three), std::nullopt);
}

TEST(OfSeveralGpus, ThrottleIsThatOfTheTimingsOfAllThatTellIt) {
    auto four = run();
    four.members.assign(4, member(1, 0.5));
    EXPECT_EQ(throttle(four), std::nullopt);
    four.members[1].throttle = {
        .timings = 50, .power = 1, .thermal = 2, .sync_boost = 3, .other = 4, .min_c = 40, .max_c = 60};
    EXPECT_EQ(throttle(four), four.members[1].throttle);
    four.members[2].throttle = {
        .timings = 7, .power = 7, .thermal = 1, .sync_boost = 2, .other = 5, .min_c = 35, .max_c = 70};
    four.members[3].throttle = {.timings = 1, .min_c = 50, .max_c = 55};
    const bench::Throttle all = {
        .timings = 58, .power = 8, .thermal = 3, .sync_boost = 5, .other = 9, .min_c = 35, .max_c = 70};
    EXPECT_EQ(throttle(four), all);
}

}  // namespace
