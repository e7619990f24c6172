// When a measurement stops and what it launches, with made-up timings and a made-up clock.
#include "bench/measure/measurement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/statistics.hpp"
#include "tests/host/bench/measure/autoregression.hpp"

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
struct Device : bench::Runner {
    explicit Device(std::function<double(std::uint64_t k)> of_launch) : ms(std::move(of_launch)) {}

    std::function<double(std::uint64_t k)> ms;
    std::function<void(const Measurement&)> on_timing = [](const Measurement&) {};
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

    Measurement measure(const StoppingRule& rule) { return bench::time_launches(rule, *this); }

    BatchTime time(std::uint64_t first, unsigned n) override {
        (discards == 0 ? warm_up : timed).push_back({first, n, clock});
        BatchTime time = {cold_ms, {setup_ms * n}};
        cold_ms = 0;
        const unsigned width = discards == 0 ? widths.front() : widths.back();
        for (unsigned i = 0; i < n; i += width) {
            time.total_ms += ms(first + i);
        }
        time.work = 10.0 * n;
        clock += time.total_ms / 1000 + overhead_seconds;
        return time;
    }
    unsigned side_by_side(unsigned most) override {
        asked.push_back({most, warm_up.size(), timed.size()});
        return asked.size() == 1 ? widths.front() : widths.back();
    }
    void end_warm_up() override { discards++; }
    void note(const Measurement& so_far) override { on_timing(so_far); }
    double now() const override { return clock; }

    double elapsed() const { return clock - started; }
};

Device steady(double ms) {
    return Device([ms](std::uint64_t) { return ms; });
}

/// Numbers spread evenly over [0, 1), in random order.
std::function<double()> evenly_spread() {
    return [random = std::mt19937(1)]() mutable { return random() / 4294967296.0; };
}

/// Timings spread evenly over [from, to) ms, in random order.
Device spread(double from, double to) {
    return Device([=, next = evenly_spread()](std::uint64_t) { return from + (to - from) * next(); });
}

Device noisy() { return spread(100, 104); }

/// Low and high timings in turn, but every ninth in the middle, and all from `quiet` on. Their interval is wide before.
/// That of very many would be narrow.
Device slowly_narrowing(std::uint64_t quiet = UINT64_MAX) {
    return Device([=](std::uint64_t k) { return k >= quiet || k % 9 == 0 ? 100.0 : k % 2 == 0 ? 90.0 : 110.0; });
}

/// Every launch 2 % slower than the one before.
Device drifting() {
    return Device([next = 100.0](std::uint64_t) mutable { return next *= 1.02; });
}

/// The same, with `width` launches side by side.
Device steady(double ms, unsigned width) {
    Device device = steady(ms);
    device.widths = {width};
    return device;
}

/// Asserts that launches `first`, `first` + 1, ... were timed once each after a warm-up of the first ones, and that the
/// measurement reports them.
void expect_consecutive(const Device& device, const Measurement& m, std::uint64_t first = 0) {
    EXPECT_EQ(device.discards, 1);
    ASSERT_FALSE(device.warm_up.empty());
    for (const Device::Batch& batch : device.warm_up) {
        EXPECT_EQ(batch.first, 0u);
        EXPECT_EQ(batch.launches, device.widths.front()) << "those that run side by side";
    }
    std::uint64_t next = first;
    unsigned most = 0;
    for (const Device::Batch& batch : device.timed) {
        ASSERT_EQ(batch.first, next);
        ASSERT_GE(batch.launches, 1u);
        next += batch.launches;
        most = std::max(most, batch.launches);
    }
    EXPECT_EQ(m.batch, most);
    EXPECT_EQ(m.launches, next - first);
    EXPECT_EQ(m.ms.size(), device.timed.size());
    EXPECT_EQ(m.phases_ms.size(), device.timed.size());
    EXPECT_EQ(m.work.size(), device.timed.size());
}

StoppingRule changed(const std::function<void(StoppingRule&)>& change) {
    StoppingRule rule;
    change(rule);
    return rule;
}

std::vector<double> in_turn(double a, double b, int times) {
    std::vector<double> values;
    for (int i = 0; i < times; i++) values.insert(values.end(), {a, b});
    return values;
}

// The interval of ten values lies between the second and the ninth. Alternating low and high values do not look
// dependent, rising ones do. With fewer than six values there is no interval.
TEST(Progress, NeedsEnoughTimingsWithANarrowIntervalWithinTheTime) {
    const StoppingRule of_ten = changed([](auto& rule) { rule.min_timings = 10; });
    const StoppingRule of_one = changed([](auto& rule) { rule.min_timings = 1; });
    const std::vector wide = {90., 110., 99.4, 100.6, 100., 100., 100., 100., 100., 100.};
    const std::vector turns = {99.6, 100.4, 99.7, 100.3, 99.8, 100.2, 99.9, 100.1, 100., 100.};
    std::vector rising = turns;
    std::sort(rising.begin(), rising.end());
    const auto halves = in_turn(100, 200, 25), short_halves = in_turn(20, 40, 25);
    const auto ten_with = [](const std::function<void(StoppingRule&)>& change) {
        return changed([&](auto& rule) { rule.min_timings = 10, rule.relative_half_width = 0.01, change(rule); });
    };
    const struct {
        const char* what;
        StoppingRule rule;
        std::vector<double> ms;
        double timed, elapsed;
        Progress progress;
    } table[] = {
        {"49 timings", defaults, std::vector(49, 100.0), 4.9, 9, Progress::more},
        {"50 timings", defaults, std::vector(50, 100.0), 5, 10, Progress::precise},
        {"less than half a second", defaults, std::vector(99, 5.0), 0.495, 5, Progress::more},
        {"half a second", defaults, std::vector(100, 5.0), 0.5, 5, Progress::precise},
        {"0.6 %", of_ten, wide, 1, 1, Progress::more},
        {"0.4 %", of_ten, {90., 110., 99.6, 100.4, 100., 100., 100., 100., 100., 100.}, 1, 1, Progress::precise},
        {"0.6 % below", of_ten, {90., 110., 99.4, 100., 100., 100., 100., 100., 100., 100.}, 1, 1, Progress::more},
        {"0.6 % above", of_ten, {110., 90., 100.6, 100., 100., 100., 100., 100., 100., 100.}, 1, 1, Progress::more},
        {"in turn", of_ten, turns, 1, 1, Progress::precise},
        {"rising", of_ten, rising, 1, 1, Progress::more},
        {"five", of_one, std::vector(5, 1000.0), 5, 5, Progress::more},
        {"six", of_one, std::vector(6, 1000.0), 6, 6, Progress::precise},
        {"1 % is enough", ten_with([](auto&) {}), wide, 1, 1, Progress::precise},
        {"11 are not", ten_with([](auto& rule) { rule.min_timings = 11; }), wide, 1, 1, Progress::more},
        {"2 s are not", ten_with([](auto& rule) { rule.min_seconds = 2; }), wide, 1, 1, Progress::more},
        {"1 s is over", ten_with([](auto& rule) { rule.min_seconds = 2, rule.max_seconds = 1; }), wide, 1, 1,
         Progress::out_of_time},
        {"before the end", defaults, {10'000}, 10, 14.9, Progress::more},
        {"at the end", defaults, {10'000}, 10, 15, Progress::few_timings},
        {"after the end", defaults, std::vector(40, 1.0), 0.04, 20, Progress::few_timings},
        {"too wide for ever", defaults, halves, 7.5, 14.9, Progress::out_of_reach},
        {"and out of time", defaults, halves, 7.5, 15, Progress::out_of_time},
        {"in too little time", defaults, halves, 0.4, 10, Progress::more},
        {"in too few timings", defaults, {halves.begin(), halves.end() - 1}, 7.4, 10, Progress::more},
        {"in the first fifth", defaults, short_halves, 1.5, 2.9, Progress::more},
        {"after it", defaults, short_halves, 1.5, 3.1, Progress::out_of_reach},
        {"of 5 s", changed([](auto& rule) { rule.max_seconds = 5; }), short_halves, 1.5, 1.5, Progress::out_of_reach},
    };
    for (const auto& row : table) {
        EXPECT_EQ(progress(row.rule, row.ms, row.timed, row.elapsed), row.progress) << row.what;
    }
}

// Times that are exact in binary. Launches well under a millisecond are timed in batches that take one.
TEST(Measure, QuietTimingsStopAtFiftyAndHalfASecondInWholeRounds) {
    const struct {
        double ms;  // of launches side by side
        unsigned width;
        std::optional<unsigned> told;  // at once
        unsigned batch;
        std::size_t timings;
    } table[] = {
        {100, 1, {}, 1, 50}, {7.8125, 1, {}, 1, 64},       {2, 1, {}, 1, 250},  {0.0078125, 1, {}, 128, 500},
        {64, 3, {}, 3, 50},  {0.0078125, 4, {}, 512, 500}, {16, 1, 10, 10, 50}, {64, 4, 10, 10, 50},
    };
    for (const auto& row : table) {
        SCOPED_TRACE(row.ms);
        Device device = steady(row.ms, row.width);
        device.setup_ms = row.ms / row.width / 4;
        device.cold_ms = 50;
        const Measurement m = device.measure(changed([&](auto& rule) { rule.batch = row.told; }));
        const double rounds = std::ceil(static_cast<double>(row.batch) / row.width);
        EXPECT_EQ(m.ms, std::vector(row.timings, row.ms * rounds / row.batch))
            << "per launch, and none of the cold one";
        for (const auto& phases_ms : m.phases_ms) EXPECT_EQ(phases_ms[0], device.setup_ms);
        EXPECT_EQ(m.batch, row.batch);
        EXPECT_EQ(m.progress, Progress::precise);
        expect_consecutive(device, m);
    }
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
    EXPECT_EQ(m.progress, Progress::precise);
    expect_consecutive(device, m);
}

TEST(Measure, EndsEarlyOrInTime) {
    const auto slow_to_start = [](Device device) {
        device.overhead_seconds = 2;
        return device;
    };
    const Device noisy_start([next = evenly_spread()](std::uint64_t k) { return k < 40 ? 20 + 20 * next() : 20; });
    // Two in five take 110 ms, the others 100. The interval spans both until it is suddenly narrow.
    const Device two_kinds([](std::uint64_t k) { return k % 5 % 2 == 1 ? 110 : 100; });
    const struct {
        const char* what;
        Device device;
        double max_seconds;
        std::size_t least, most;  // timings
        Progress progress;
    } table[] = {
        {"slowly narrowing", slowly_narrowing(), 15, 100, 160, Progress::out_of_time},
        {"hopeless at the first look", spread(100, 140), 15, 50, 50, Progress::out_of_reach},
        {"drifting", drifting(), 15, 50, 50, Progress::out_of_reach},
        {"99 take a fifth of the time", spread(19.5, 39.5), 15, 124, 124, Progress::out_of_reach},
        {"noisy at the start", noisy_start, 15, 51, 1000, Progress::precise},
        {"two kinds", two_kinds, 15, 51, 1000, Progress::precise},
        // Not yet narrow at the last look, after 243.
        {"narrow when the time is up", slowly_narrowing(243), 29.95, 300, 300, Progress::precise},
        {"too few", steady(1000), 15, 15, 15, Progress::few_timings},
        {"too long", steady(60'000), 15, 1, 1, Progress::few_timings},
        {"on the wall clock", slow_to_start(noisy()), 15, 1, 9, Progress::few_timings},
        {"a timer that reads zero", slow_to_start(steady(0)), 15, 1, 9, Progress::few_timings},
    };
    for (const auto& row : table) {
        SCOPED_TRACE(row.what);
        Device device = row.device;
        const Measurement m = device.measure(changed([&](auto& rule) { rule.max_seconds = row.max_seconds; }));
        EXPECT_GE(m.ms.size(), row.least);
        EXPECT_LE(m.ms.size(), row.most);
        EXPECT_LT(device.timed.back().start - device.timed.front().start, row.max_seconds)
            << "none begins after the end";
        EXPECT_EQ(m.progress, row.progress);
        expect_consecutive(device, m);
    }
}

TEST(Measure, FixedLaunchesKnowNoTimeLimit) {
    Device device = drifting();
    const Measurement m = device.measure(launches(100));
    EXPECT_GT(device.elapsed(), 15);
    EXPECT_EQ(m.launches, 100u);
    EXPECT_EQ(m.progress, Progress::done);
}

TEST(StoppingWarning, TellsOfAnIntervalThatIsNotAsAskedFor) {
    const std::pair<Progress, std::string> table[] = {
        {Progress::precise, ""},
        {Progress::done, ""},
        {Progress::out_of_reach,
         "stopped after some timings: the interval is wider than asked for, and would be after 10 times --max-time "
         "2.5"},
        {Progress::out_of_time, "stopped by --max-time 2.5 after some timings: the interval is wider than asked for"},
        {Progress::few_timings,
         "stopped by --max-time 2.5 after some timings: too few to see how much they depend on each other"},
    };
    for (const auto& [end, text] : table) {
        const auto warning = bench::stopping_warning(end, 2.5).value_or(bench::Warning{});
        EXPECT_EQ(warning.text, text);
        EXPECT_EQ(warning.kind, text.empty() ? "" : "interval");
    }
}

// Two hundred timings are enough, unless that makes one so long that a signal has to wait, or needs too many counts at once.
TEST(Measure, FixedLaunchesAreTimedInEqualPartsOfWholeRounds) {
    constexpr std::uint64_t far = (std::uint64_t{1} << 62) + 1;
    const struct {
        double ms;  // of launches side by side
        unsigned width;
        std::uint64_t launches;
        std::size_t timings;
        std::optional<unsigned> told = {};  // at once
        unsigned most_at_once = bench::max_batch;
        std::uint64_t done = 0;  // by an earlier part
    } table[] = {
        {0.01, 1, 1, 1},
        {0.01, 1, 1000, 10},
        {0.01, 1, 1021, 11},
        {0.5, 1, 1'000'000, 3907},  // of 256 launches
        {10, 1, 100, 100},
        {10, 1, 4000, 200},
        {10, 1, 400'000, 4000},  // of a second
        {10, 2, 4000, 200},
        {100, 1, 50, 50},
        {0.01, 3, 1021, 4},
        {0.4, 3, 1021, 114},
        {0.4, 2, 5, 1},
        {100, 7, 100, 15},
        {100, 3, 1, 1},
        {0.01, 1, 1000, 143, 7},
        {100, 1, 1000, 4, 300},
        {100, 1, 1000, 1, 5000},
        {0.01, 1, 100, 15, {}, 7},
        {0.01, 1, 100, 2, 50, 7},  // as the user says
        {0.01, 1, 10, 1, {}, bench::max_batch, 99},
        {100, 1, 10, 1, {}, bench::max_batch, far},  // a second of very many
        {100, 4, 10, 3, 4, bench::max_batch, far},
    };
    for (const auto& row : table) {
        SCOPED_TRACE(std::to_string(row.launches) + " launches of " + std::to_string(row.ms) + " ms");
        Device device = steady(row.ms, row.width);
        StoppingRule rule = launches(row.done + row.launches);
        rule.done = row.done;
        rule.batch = row.told;
        rule.most_at_once = row.most_at_once;
        device.overhead_seconds = 0.25;
        const Measurement m = device.measure(rule);
        EXPECT_EQ(m.launches, row.launches);
        EXPECT_EQ(m.timed_work, 10.0 * static_cast<double>(row.launches));
        EXPECT_NEAR(m.elapsed_seconds, m.timed_ms / 1e3 + 0.25 * static_cast<double>(m.ms.size()), 1e-6);
        EXPECT_EQ(m.ms.size(), row.timings);
        double all_ms = 0;
        for (std::size_t i = 0; i < device.timed.size(); i++) {
            const double n = device.timed[i].launches, ms = row.ms * std::ceil(n / row.width);
            EXPECT_NEAR(m.ms[i], ms / n, 1e-9) << "per launch, in a smaller batch too";
            all_ms += ms;
            if (row.width == 1) {
                EXPECT_NEAR(n, static_cast<double>(row.launches) / row.timings, 1) << "none weighs less";
            } else if (i + 1 < device.timed.size()) {
                EXPECT_EQ(device.timed[i].launches % row.width, 0u);
            }
        }
        EXPECT_NEAR(m.timed_ms, all_ms, 1e-6);
        expect_consecutive(device, m, row.done);
    }
}

TEST(Measure, TellsAListenerOfEveryTimingWhichCanStopIt) {
    struct Stop {};
    std::vector<std::size_t> sizes;
    Device device = steady(100);
    device.on_timing = [&](const Measurement& m) { sizes.push_back(m.ms.size()); };
    device.measure(launches(3));
    EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 2, 3}));
    Device stopped = steady(100);
    stopped.on_timing = [](const Measurement& m) {
        if (m.ms.size() == 2) throw Stop();
    };
    EXPECT_THROW(stopped.measure(defaults), Stop);
    EXPECT_EQ(stopped.timed.size(), 2u);
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
    for (const Device::Batch& batch : device.timed) EXPECT_EQ(batch.launches, 5u);
    EXPECT_EQ(m.batch, 5u);
    expect_consecutive(device, m);
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

TEST(Measure, NoTimingTakesLongerThanAllowed) {
    struct Stop {};
    const auto longest = [](double ms, unsigned width, double longest_timing_ms) {
        Device device = steady(ms, width);
        StoppingRule rule = launches(1'000'000'000'000'000);
        rule.longest_timing_ms = longest_timing_ms;
        device.on_timing = [](const Measurement&) { throw Stop(); };
        EXPECT_THROW(device.measure(rule), Stop);
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
        Device device([&, next = Autoregression(autocorrelation, seed)](std::uint64_t) mutable {
            return ms_of(std::erfc(-next() / std::numbers::sqrt2) / 2);
        });
        const bench::Summary s = bench::summarize(device.measure(rule).ms);
        held += s.interval_is_95 && s.low <= median && median <= s.high;
    }
    return static_cast<double>(held) / measurements;
}

// The stopping rule is part of the simulation. The fraction has a standard deviation of 0.7 %.
TEST(Measure, TheIntervalHoldsTheMedian) {
    const std::pair<StoppingRule, std::vector<double>> rules[] = {
        {defaults, {0, 0.5, 0.9}}, {launches(100), {0, 0.9}}, {launches(7), {0}}};
    for (const Distribution& distribution : distributions) {
        for (const auto& [rule, autocorrelations] : rules) {
            for (const double autocorrelation : autocorrelations) {
                EXPECT_GE(coverage(distribution, autocorrelation, rule), 0.94)
                    << distribution.name << ", autocorrelation " << autocorrelation << ", "
                    << rule.launches.value_or(0);
            }
        }
    }
}

}  // namespace
