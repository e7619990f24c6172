// When a measurement stops and what it launches, with made-up timings and a made-up clock.
#include "bench/measure/measurement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include "bench/measure/statistics.hpp"
#include "tests/host/bench/autoregression.hpp"

namespace {

using bench::BatchTime;
using bench::Measurement;
using bench::Progress;
using bench::progress;
using bench::StoppingRule;

const StoppingRule defaults;

StoppingRule launches(std::uint64_t n) {
    StoppingRule rule;
    rule.launches = n;
    return rule;
}

/// A device that takes `ms` for launch number k and moves its clock.
struct Device {
    std::function<double(std::uint64_t k)> ms;
    double setup_ms = 0;                 // of each launch, part of its time
    double cold_ms = 0;                  // more, the first time
    double overhead_seconds = 0;         // of each batch, outside its timed part
    std::vector<unsigned> widths = {1};  // launches that run side by side: in the warm-up, and in the end after it

    struct Batch {
        std::uint64_t first;
        unsigned launches;
        double start;  // on the clock
    };
    std::vector<Batch> warm_up = {}, timed = {};
    struct Question {
        unsigned most;
        std::size_t warm_ups;  // done when it was asked
        std::size_t timed;
    };
    std::vector<Question> asked = {};  // how many run side by side
    int discards = 0;
    double clock = 1000;
    double started = clock;

    Measurement measure(
        const StoppingRule& rule, const bench::OnTiming& on_timing = [](const Measurement&) {}) {
        const auto time_batch = [this](std::uint64_t first, unsigned n) {
            (discards == 0 ? warm_up : timed).push_back({first, n, clock});
            BatchTime time = {cold_ms, {setup_ms * n}};
            cold_ms = 0;
            const unsigned width = discards == 0 ? widths.front() : widths.back();
            for (unsigned i = 0; i < n; i += width) {
                time.total_ms += ms(first + i);
            }
            clock += time.total_ms / 1000 + overhead_seconds;
            return time;
        };
        const auto side_by_side = [this](unsigned most) {
            asked.push_back({most, warm_up.size(), timed.size()});
            return asked.size() == 1 ? widths.front() : widths.back();
        };
        return bench::measure(
            rule, time_batch, [this] { discards++; }, on_timing, [this] { return clock; }, side_by_side);
    }

    double elapsed() const { return clock - started; }
};

Device steady(double ms) {
    return {.ms = [ms](std::uint64_t) { return ms; }};
}

/// Numbers spread evenly over [0, 1), in random order.
std::function<double()> evenly_spread() {
    return [random = std::mt19937(1)]() mutable { return random() / 4294967296.0; };
}

/// Timings spread evenly over [from, to) ms, in random order.
Device spread(double from, double to) {
    return {.ms = [=, next = evenly_spread()](std::uint64_t) { return from + (to - from) * next(); }};
}

Device noisy() { return spread(100, 104); }

/// Low and high timings in turn, but every ninth in the middle, and all from `quiet` on. Their interval is wide before.
/// That of very many would be narrow.
Device slowly_narrowing(std::uint64_t quiet = UINT64_MAX) {
    return {.ms = [=](std::uint64_t k) { return k >= quiet || k % 9 == 0 ? 100.0 : k % 2 == 0 ? 90.0 : 110.0; }};
}

/// Every launch 2 % slower than the one before.
Device drifting() {
    return {.ms = [next = 100.0](std::uint64_t) mutable { return next *= 1.02; }};
}

/// The same, with `width` launches side by side.
Device steady(double ms, unsigned width) {
    Device device = steady(ms);
    device.widths = {width};
    return device;
}

/// Asserts that launches `first`, `first` + 1, ... were timed once each, and that the measurement reports them.
void expect_consecutive(const Device& device, const Measurement& measurement, std::uint64_t first = 0) {
    std::uint64_t next = first;
    for (const Device::Batch& batch : device.timed) {
        ASSERT_EQ(batch.first, next);
        ASSERT_GE(batch.launches, 1u);
        ASSERT_LE(batch.launches, measurement.batch);
        next += batch.launches;
    }
    EXPECT_EQ(measurement.launches, next - first);
    EXPECT_EQ(measurement.ms.size(), device.timed.size());
    EXPECT_EQ(measurement.phases_ms.size(), device.timed.size());
}

/// The rule for ten timings.
StoppingRule of_ten() {
    StoppingRule rule;
    rule.min_timings = 10;
    return rule;
}

TEST(Progress, NeedsFiftyTimings) {
    EXPECT_EQ(progress(defaults, std::vector(49, 100.0), 4.9, 9), Progress::more);
    EXPECT_EQ(progress(defaults, std::vector(50, 100.0), 5, 10), Progress::precise);
}

TEST(Progress, NeedsHalfASecondOfLaunches) {
    EXPECT_EQ(progress(defaults, std::vector(99, 5.0), 0.495, 5), Progress::more);
    EXPECT_EQ(progress(defaults, std::vector(100, 5.0), 0.5, 5), Progress::precise);
}

// The interval of ten values lies between the second and the ninth. Alternating low and high values do not look
// dependent.
TEST(Progress, NeedsTheIntervalWithinHalfAPercentOfTheMedian) {
    EXPECT_EQ(progress(of_ten(), std::vector{90., 110., 99.4, 100.6, 100., 100., 100., 100., 100., 100.}, 1, 1),
              Progress::more);
    EXPECT_EQ(progress(of_ten(), std::vector{90., 110., 99.6, 100.4, 100., 100., 100., 100., 100., 100.}, 1, 1),
              Progress::precise);
}

TEST(Progress, MeasuresTheFartherEndOfTheInterval) {
    EXPECT_EQ(progress(of_ten(), std::vector{90., 110., 99.4, 100., 100., 100., 100., 100., 100., 100.}, 1, 1),
              Progress::more);
    EXPECT_EQ(progress(of_ten(), std::vector{110., 90., 100.6, 100., 100., 100., 100., 100., 100., 100.}, 1, 1),
              Progress::more);
}

TEST(Progress, NeedsMoreOfTimingsThatDependOnEachOther) {
    const std::vector in_turn = {99.6, 100.4, 99.7, 100.3, 99.8, 100.2, 99.9, 100.1, 100., 100.};
    std::vector rising = in_turn;
    std::sort(rising.begin(), rising.end());
    EXPECT_EQ(progress(of_ten(), in_turn, 1, 1), Progress::precise);
    EXPECT_EQ(progress(of_ten(), rising, 1, 1), Progress::more);
}

// With fewer than six values there is no interval.
TEST(Progress, NeedsAnInterval) {
    StoppingRule rule;
    rule.min_timings = 1;
    EXPECT_EQ(progress(rule, std::vector(5, 1000.0), 5, 5), Progress::more);
    EXPECT_EQ(progress(rule, std::vector(6, 1000.0), 6, 6), Progress::precise);
}

TEST(Progress, FollowsTheRule) {
    const std::vector ms = {90., 110., 99.4, 100.6, 100., 100., 100., 100., 100., 100.};
    StoppingRule rule = of_ten();
    rule.relative_half_width = 0.01;
    EXPECT_EQ(progress(rule, ms, 1, 1), Progress::precise);
    rule.min_timings = 11;
    EXPECT_EQ(progress(rule, ms, 1, 1), Progress::more);
    rule.min_timings = 10;
    rule.min_seconds = 2;
    EXPECT_EQ(progress(rule, ms, 1, 1), Progress::more);
    rule.max_seconds = 1;
    EXPECT_EQ(progress(rule, ms, 1, 1), Progress::out_of_time);
}

TEST(Progress, TimeWinsOverTheOthers) {
    EXPECT_EQ(progress(defaults, std::vector{10'000.0}, 10, 14.9), Progress::more);
    EXPECT_EQ(progress(defaults, std::vector{10'000.0}, 10, 15), Progress::out_of_time);
    EXPECT_EQ(progress(defaults, std::vector(40, 1.0), 0.04, 20), Progress::out_of_time);
}

// Half of the timings take twice as long as the others.
TEST(Progress, IsOutOfReachIfTheIntervalWouldStayWide) {
    std::vector<double> ms;
    for (int i = 0; i < 25; i++) ms.insert(ms.end(), {100, 200});
    EXPECT_EQ(progress(defaults, ms, 7.5, 14.9), Progress::out_of_reach);
    EXPECT_EQ(progress(defaults, ms, 7.5, 15), Progress::out_of_time);
    EXPECT_EQ(progress(defaults, ms, 0.4, 10), Progress::more);
    EXPECT_EQ(progress(defaults, std::span(ms).first(49), 7.4, 10), Progress::more);
}

TEST(Progress, IsNotOutOfReachInTheFirstFifth) {
    std::vector<double> ms;
    for (int i = 0; i < 25; i++) ms.insert(ms.end(), {20, 40});
    EXPECT_EQ(progress(defaults, ms, 1.5, 2.9), Progress::more);
    EXPECT_EQ(progress(defaults, ms, 1.5, 3.1), Progress::out_of_reach);
    StoppingRule rule;
    rule.max_seconds = 5;
    EXPECT_EQ(progress(rule, ms, 1.5, 1.5), Progress::out_of_reach);
}

TEST(Measure, QuietTimingsStopAtFiftyLaunches) {
    Device device = steady(100);
    const Measurement m = device.measure(defaults);
    EXPECT_EQ(m.ms, std::vector(50, 100.0));
    EXPECT_EQ(m.launches, 50u);
    EXPECT_TRUE(m.warnings.empty());
    expect_consecutive(device, m);
}

TEST(Measure, QuietTimingsStopAtHalfASecond) {
    Device device = steady(7.8125);  // a 64th of it, exact in binary
    const Measurement m = device.measure(defaults);
    EXPECT_EQ(m.ms, std::vector(64, 7.8125));
    EXPECT_TRUE(m.warnings.empty());
}

TEST(Measure, NoisyTimingsGoOnUntilTheIntervalIsNarrow) {
    Device device = noisy();
    const Measurement m = device.measure(defaults);
    const auto farther_end = [&](std::size_t n) {  // of the interval, from the median and relative to it
        const bench::Summary s = bench::summarize(std::span(m.ms).first(n));
        return std::max(s.high - s.median, s.median - s.low) / s.median;
    };
    ASSERT_GT(m.ms.size(), 50u);
    EXPECT_LE(farther_end(m.ms.size()), 0.005);
    std::size_t look = 50;
    for (; look < m.ms.size(); look += (look + 3) / 4) {
        EXPECT_GT(farther_end(look), 0.005) << "should have stopped after " << look << " timings";
    }
    EXPECT_EQ(m.ms.size(), look) << "looks after a quarter more, and not between";
    EXPECT_LT(device.elapsed(), 15);
    EXPECT_TRUE(m.warnings.empty());
    expect_consecutive(device, m);
}

TEST(Measure, TimingsThatNarrowTooSlowlyStopAtMaxTimeAndWarn) {
    Device device = slowly_narrowing();
    const Measurement m = device.measure(defaults);
    EXPECT_GE(device.elapsed(), 15);
    EXPECT_LT(device.timed.back().start - device.timed.front().start, 15) << "no launch begins after the time is up";
    ASSERT_EQ(m.warnings.size(), 1u);
    EXPECT_NE(m.warnings.front().find("stopped by --max-time 15"), std::string::npos) << m.warnings.front();
    EXPECT_EQ(m.warnings.front().find('\n'), std::string::npos) << m.warnings.front();
    expect_consecutive(device, m);
}

TEST(Measure, HopelessTimingsStopEarlyAndWarn) {
    for (Device device : {spread(100, 140), drifting()}) {
        const Measurement m = device.measure(defaults);
        EXPECT_EQ(m.ms.size(), 50u) << "the first look";
        ASSERT_EQ(m.warnings.size(), 1u);
        EXPECT_NE(m.warnings.front().find("50 timings"), std::string::npos) << m.warnings.front();
        EXPECT_NE(m.warnings.front().find("10 times --max-time 15"), std::string::npos) << m.warnings.front();
        EXPECT_EQ(m.warnings.front().find('\n'), std::string::npos) << m.warnings.front();
        expect_consecutive(device, m);
    }
}

// 99 timings take just under 3 s. The next look is after 124.
TEST(Measure, HopelessShortTimingsGoOnForAFifthOfMaxTime) {
    Device device = spread(19.5, 39.5);
    const Measurement m = device.measure(defaults);
    EXPECT_EQ(m.ms.size(), 124u);
    EXPECT_EQ(m.warnings.size(), 1u);
}

TEST(Measure, NoisyTimingsAtTheStartDoNotEndIt) {
    Device device = {.ms = [next = evenly_spread()](std::uint64_t k) { return k < 40 ? 20 + 20 * next() : 20; }};
    const Measurement m = device.measure(defaults);
    EXPECT_GT(m.ms.size(), 50u) << "wide at the first look";
    EXPECT_TRUE(m.warnings.empty()) << m.warnings.front();
}

// Two in five take 110 ms, the others 100. The interval spans both until it is suddenly narrow.
TEST(Measure, TimingsOfTwoKindsGoOnUntilTheIntervalLiesInOne) {
    Device device = {.ms = [](std::uint64_t k) { return k % 5 % 2 == 1 ? 110 : 100; }};
    const Measurement m = device.measure(defaults);
    EXPECT_GT(m.ms.size(), 50u) << "wide at the first look";
    EXPECT_TRUE(m.warnings.empty()) << m.warnings.front();
}

// The interval is narrow when the time is up, after 300 timings, but was not yet at the last look, after 243.
TEST(Measure, LooksOnceMoreWhenTheTimeIsUp) {
    Device device = slowly_narrowing(243);
    StoppingRule rule;
    rule.max_seconds = 29.95;
    const Measurement m = device.measure(rule);
    EXPECT_EQ(m.ms.size(), 300u);
    EXPECT_TRUE(m.warnings.empty()) << m.warnings.front();
}

TEST(Measure, TooFewTimingsAreSaid) {
    Device device = steady(1000);
    const Measurement m = device.measure(defaults);
    EXPECT_EQ(m.ms.size(), 15u);
    ASSERT_EQ(m.warnings.size(), 1u);
    EXPECT_NE(m.warnings.front().find("too few"), std::string::npos) << m.warnings.front();
}

TEST(Measure, LaunchesLongerThanMaxTimeAreMeasuredOnceAndWarnedAbout) {
    Device device = steady(60'000);
    const Measurement m = device.measure(defaults);
    EXPECT_EQ(m.ms, std::vector{60'000.0});
    EXPECT_EQ(m.warnings.size(), 1u);
}

TEST(Measure, MaxTimeIsWallClockTime) {
    Device device = noisy();
    device.overhead_seconds = 2;
    const Measurement m = device.measure(defaults);
    EXPECT_GE(device.elapsed(), 15);
    EXPECT_LT(m.ms.size(), 10u);
    EXPECT_EQ(m.warnings.size(), 1u);
}

TEST(Measure, ATimerThatReadsZeroDoesNotKeepItForever) {
    Device device = steady(0);
    device.overhead_seconds = 0.5;
    const Measurement m = device.measure(defaults);
    EXPECT_LT(device.elapsed(), 20);
    EXPECT_EQ(m.warnings.size(), 1u);
}

TEST(Measure, WarmUpDrawsLaunchZeroAndIsDiscarded) {
    Device device = steady(100);
    device.cold_ms = 900;
    const Measurement m = device.measure(defaults);
    EXPECT_EQ(device.discards, 1);
    ASSERT_FALSE(device.warm_up.empty());
    for (const Device::Batch& batch : device.warm_up) {
        EXPECT_EQ(batch.first, 0u);
        EXPECT_EQ(batch.launches, 1u);
    }
    ASSERT_FALSE(device.timed.empty());
    EXPECT_EQ(device.timed.front().first, 0u);
    EXPECT_EQ(m.ms, std::vector(50, 100.0)) << "the cold launch is not among them";
}

TEST(Measure, ColdFirstLaunchDoesNotKeepShortLaunchesFromBeingBatched) {
    Device device = steady(0.01);
    device.cold_ms = 50;
    EXPECT_GT(device.measure(defaults).batch, 1u);
}

TEST(Measure, ShortLaunchesAreBatched) {
    Device device = steady(0.01);
    const Measurement m = device.measure(defaults);
    EXPECT_GT(m.batch, 1u);
    EXPECT_LE(m.batch, bench::max_batch);
    for (const double ms : m.ms) {
        EXPECT_NEAR(ms, 0.01, 1e-9) << "per launch, not per batch";
    }
    EXPECT_GE(m.launches, 50'000u) << "half a second of them";
    expect_consecutive(device, m);
}

TEST(Measure, LongLaunchesAreNotBatched) {
    for (const double ms : {2.0, 20.0, 2000.0}) {
        EXPECT_EQ(steady(ms).measure(defaults).batch, 1u) << ms << " ms";
    }
}

TEST(Measure, FixedLaunchesKnowNoTimeLimit) {
    Device device = drifting();
    const Measurement m = device.measure(launches(100));
    EXPECT_GT(device.elapsed(), 15);
    EXPECT_EQ(m.launches, 100u);
    EXPECT_TRUE(m.warnings.empty());
}

TEST(Measure, FixedLaunchesAreTimedInEqualParts) {
    for (const std::uint64_t n : {1, 3, 1000, 1021}) {
        Device device = steady(0.01);
        const Measurement m = device.measure(launches(n));
        EXPECT_EQ(m.launches, n);
        expect_consecutive(device, m);
        EXPECT_EQ(device.timed.size(), (n + m.batch - 1) / m.batch) << "as few timings as batches allow";
        for (const auto& timing : device.timed) {
            EXPECT_LE(timing.launches, m.batch);
            EXPECT_NEAR(timing.launches, static_cast<double>(n) / device.timed.size(), 1) << "none weighs less";
        }
        for (const double ms : m.ms) {
            EXPECT_NEAR(ms, 0.01, 1e-9) << "per launch, in the smaller batch too";
        }
    }
}

// A hundred thousand timings are enough, unless that makes one so long that a signal has to wait.
TEST(Measure, AGreatManyLaunchesAreTimedTogether) {
    Device device = steady(0.5);
    const Measurement m = device.measure(launches(1'000'000));
    EXPECT_EQ(m.launches, 1'000'000u);
    EXPECT_LE(m.ms.size(), 100'000u);
    expect_consecutive(device, m);
}

TEST(Measure, KnowsTheTimeOfAllTimings) {
    Device device = steady(0.25);
    EXPECT_NEAR(device.measure(launches(1000)).timed_ms, 250, 1e-9);
}

TEST(Measure, SetUpTimeIsPerLaunch) {
    for (const double ms : {0.04, 100.0}) {
        Device device = steady(ms);
        device.setup_ms = ms / 4;
        for (const auto& phases_ms : device.measure(defaults).phases_ms) {
            EXPECT_NEAR(phases_ms[0], ms / 4, 1e-9);
        }
    }
}

TEST(Measure, TellsOfEveryTiming) {
    Device device = steady(100);
    std::vector<std::size_t> sizes;
    device.measure(launches(3), [&](const Measurement& m) { sizes.push_back(m.ms.size()); });
    EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 2, 3}));
}

TEST(Measure, AListenerCanStopIt) {
    struct Stop {};
    Device device = steady(100);
    const auto stop_at_second = [](const Measurement& m) {
        if (m.ms.size() == 2) {
            throw Stop();
        }
    };
    EXPECT_THROW(device.measure(defaults, stop_at_second), Stop);
    EXPECT_EQ(device.timed.size(), 2u);
}

TEST(Measure, WarmsUpWithAsManyLaunchesAsRunSideBySideEvenWhereFewerAreAskedFor) {
    Device device = steady(100, 3);
    const Measurement m = device.measure(launches(1));
    EXPECT_EQ(device.warm_up.front().launches, 3u);
    EXPECT_EQ(m.ms, std::vector{100.0});
    expect_consecutive(device, m);
}

TEST(Measure, LaunchesSideBySideAreTimedInWholeRoundsButForTheLast) {
    for (const double ms : {0.01, 0.4, 100.0}) {
        for (const unsigned width : {2u, 3u, 7u}) {
            for (const std::uint64_t n : {1, 5, 100, 1021}) {
                Device device = steady(ms, width);
                const Measurement m = device.measure(launches(n));
                EXPECT_EQ(m.launches, n);
                expect_consecutive(device, m);
                ASSERT_FALSE(device.timed.empty());
                EXPECT_EQ(m.batch, device.timed.front().launches) << "the largest";
                for (std::size_t i = 0; i + 1 < device.timed.size(); i++) {
                    EXPECT_EQ(device.timed[i].launches % width, 0u)
                        << "timing " << i << " of " << n << " launches, " << width << " at a time, " << ms << " ms";
                }
            }
        }
    }
}

TEST(Measure, LaunchesSideBySideAreTimedInWholeRoundsUntilPrecise) {
    for (const double ms : {0.01, 31.25}) {
        Device device = steady(ms, 3);
        const Measurement m = device.measure(defaults);
        expect_consecutive(device, m);
        for (const Device::Batch& batch : device.timed) {
            EXPECT_EQ(batch.launches, m.batch);
        }
        EXPECT_EQ(m.batch % 3, 0u);
        for (const double per_launch : m.ms) {
            EXPECT_NEAR(per_launch, ms / 3, 1e-9) << "three in the time of one";
        }
    }
}

TEST(Measure, LongLaunchesSideBySideAreTimedRoundByRound) {
    EXPECT_EQ(steady(20, 5).measure(defaults).batch, 5u);
    EXPECT_EQ(steady(2000, 5).measure(launches(20)).batch, 5u);
}

// The warm-up may show that some are faster than others.
TEST(Measure, AsksAgainAfterTheWarmUpHowManyRunSideBySide) {
    Device device = steady(100);
    device.widths = {2, 5};
    const Measurement m = device.measure(launches(20));
    ASSERT_EQ(device.asked.size(), 2u);
    EXPECT_EQ(device.asked[0].warm_ups, 0u);
    EXPECT_EQ(device.asked[1].warm_ups, device.warm_up.size());
    EXPECT_EQ(device.asked[1].timed, 0u);
    for (const Device::Batch& batch : device.warm_up) EXPECT_EQ(batch.launches, 2u);
    for (const Device::Batch& batch : device.timed) EXPECT_EQ(batch.launches, 5u);
    EXPECT_EQ(m.batch, 5u);
    expect_consecutive(device, m);
}

TEST(Measure, KeepsTheCountsOfNoMoreLaunchesAtOnceThanItMay) {
    Device device = steady(0.01);
    StoppingRule rule = launches(100);
    rule.most_at_once = 7;
    EXPECT_EQ(device.measure(rule).batch, 7u);
    rule.batch = 50;
    EXPECT_EQ(device.measure(rule).batch, 50u) << "as the user says";
}

// Two at a time in 100 ms make 20 in a second.
TEST(Measure, NoMoreRunSideBySideThanATimingMayTake) {
    const auto most = [](double ms, double longest_timing_ms) {
        Device device = steady(ms, 2);
        StoppingRule rule = launches(10);
        rule.longest_timing_ms = longest_timing_ms;
        device.measure(rule);
        return device.asked.back().most;
    };
    EXPECT_EQ(most(100, 1000), 20u);
    EXPECT_EQ(most(100, 400), 8u);
    EXPECT_LE(most(5000, 1000), 1u) << "one takes longer already";
    EXPECT_GT(most(0.01, 1000), 20u);
    EXPECT_LE(most(0.01, 1000), bench::max_batch);
}

TEST(Measure, GoesOnFromWhereAnEarlierPartOfTheRunEnded) {
    for (const double ms : {0.01, 100.0}) {
        for (const std::uint64_t done : {1, 40, 99}) {
            Device device = steady(ms);
            StoppingRule rule = launches(100);
            rule.done = done;
            const Measurement m = device.measure(rule);
            EXPECT_EQ(m.launches, 100 - done) << "none of the earlier part";
            expect_consecutive(device, m, done);
            EXPECT_NEAR(m.timed_ms, ms * static_cast<double>(100 - done), 1e-9);
            for (const Device::Batch& batch : device.warm_up) EXPECT_EQ(batch.first, 0u);
        }
    }
}

TEST(Measure, GoesOnFarFromTheStart) {
    constexpr std::uint64_t done = (std::uint64_t{1} << 62) + 1;
    Device device = steady(100, 4);
    StoppingRule rule = launches(done + 10);
    rule.done = done;
    rule.batch = 4;
    const Measurement m = device.measure(rule);
    EXPECT_EQ(m.launches, 10u);
    EXPECT_EQ(m.ms.size(), 3u);
    expect_consecutive(device, m, done);
}

TEST(Measure, TimesAsManyAtOnceAsItIsTold) {
    for (const double ms : {0.01, 100.0}) {
        for (const unsigned batch : {1u, 7u, 300u, 1000u, 5000u}) {
            Device device = steady(ms);
            StoppingRule rule = launches(1000);
            rule.batch = batch;
            const Measurement m = device.measure(rule);
            const std::size_t timings = (1000 + batch - 1) / batch;  // in equal parts
            EXPECT_EQ(m.ms.size(), timings) << ms << " ms, batches of " << batch;
            EXPECT_EQ(m.batch, (1000 + timings - 1) / timings) << "what was timed, not what was allowed";
            EXPECT_EQ(m.launches, 1000u);
            expect_consecutive(device, m);
        }
    }
}

TEST(Measure, TimesAsManyAtOnceAsItIsToldUntilPrecise) {
    for (const unsigned width : {1u, 4u}) {
        Device device = steady(20, width);
        StoppingRule rule;
        rule.batch = 10;
        const Measurement m = device.measure(rule);
        EXPECT_EQ(m.batch, 10u);
        for (const Device::Batch& batch : device.timed) {
            EXPECT_EQ(batch.launches, 10u) << width << " side by side";
        }
        expect_consecutive(device, m);
    }
}

TEST(Measure, NoTimingTakesLongerThanAllowed) {
    struct Stop {};
    const auto longest = [](double ms, unsigned width, double longest_timing_ms) {
        Device device = steady(ms, width);
        StoppingRule rule = launches(1'000'000'000'000'000);
        rule.longest_timing_ms = longest_timing_ms;
        EXPECT_THROW(device.measure(rule, [](const Measurement&) { throw Stop(); }), Stop);
        return device.timed.front().launches / width * ms;
    };
    for (const unsigned width : {1u, 3u}) {
        EXPECT_GT(longest(10, width, 1000), 500);
        EXPECT_LE(longest(10, width, 1000), 1010);
        EXPECT_LE(longest(10, width, 50), 60);
        EXPECT_LE(longest(0.01, width, 0.5), 0.51) << "though events resolve it badly";
        EXPECT_EQ(longest(400, width, 50), 400) << "one round in any case";
    }
}

/// A distribution of times around 1, given by its quantile function.
struct Distribution {
    const char* name;
    double (*quantile)(double u);
};

double normal(double u) { return boost::math::quantile(boost::math::normal(), u); }

const Distribution distributions[] = {
    {"normal", normal},
    {"long tail", [](double u) { return -std::log1p(-u); }},
    {"two modes", [](double u) { return u < 0.6 ? 0.2 * normal(u / 0.6) : 2 + 0.2 * normal((u - 0.6) / 0.4); }},
};

/// The fraction of measurements whose interval contains the median. Launches of 10 ms scatter by about 0.3 %.
double coverage(const Distribution& distribution, double autocorrelation, const StoppingRule& rule) {
    constexpr unsigned measurements = 1000;
    const auto ms_of = [&](double u) { return 10 * (1 + 0.003 * distribution.quantile(u)); };
    const double median = ms_of(0.5);
    int held = 0;
    for (unsigned seed = 1; seed <= measurements; seed++) {
        Device device = {.ms = [&, next = Autoregression(autocorrelation, seed)](std::uint64_t) mutable {
            return ms_of(std::erfc(-next() / std::numbers::sqrt2) / 2);
        }};
        const bench::Summary s = bench::summarize(device.measure(rule).ms);
        held += s.interval_is_95 && s.low <= median && median <= s.high;
    }
    return static_cast<double>(held) / measurements;
}

// The stopping rule is part of the simulation. The fraction has a standard deviation of 0.7 %.
TEST(Measure, TheIntervalHoldsTheMedian) {
    for (const Distribution& distribution : distributions) {
        for (const double autocorrelation : {0.0, 0.5, 0.9}) {
            EXPECT_GE(coverage(distribution, autocorrelation, defaults), 0.94)
                << distribution.name << ", autocorrelation " << autocorrelation;
        }
    }
}

TEST(Measure, TheIntervalOfAFixedNumberOfLaunchesHoldsTheMedian) {
    for (const Distribution& distribution : distributions) {
        for (const double autocorrelation : {0.0, 0.9}) {
            EXPECT_GE(coverage(distribution, autocorrelation, launches(100)), 0.94)
                << distribution.name << ", autocorrelation " << autocorrelation;
        }
        EXPECT_GE(coverage(distribution, 0, launches(7)), 0.94) << distribution.name << ", seven";
    }
}

}  // namespace
