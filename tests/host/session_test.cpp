// How many launches the options mean, and how an error becomes an exit code.
#include "bench/session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace {

using bench::Count;
using bench::guarded;
using bench::Independent;
using bench::Options;
using bench::stopping_rule;
using bench::UsageError;

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

TEST(SamplesOfLaunch, IsStreamsTimesIters) {
    EXPECT_EQ(bench::samples_of_launch(1, 1), 1u);
    EXPECT_EQ(bench::samples_of_launch(270'336, 100'000), 27'033'600'000u);
    EXPECT_EQ(bench::samples_of_launch(two_to_63 / 2, 2), two_to_63);
}

TEST(SamplesOfLaunch, RefusesMoreThan64BitTotalsHold) {
    EXPECT_THROW(bench::samples_of_launch(two_to_63 / 2 + 1, 2), UsageError);
    EXPECT_THROW(bench::samples_of_launch(two_to_63, 4'000'000'000), UsageError);
}

TEST(SamplesOfLaunch, RefusesMoreThanASetHasPoints) {
    constexpr std::uint64_t points = std::uint64_t{1} << 32;
    EXPECT_EQ(bench::samples_of_launch(262'144, 16'384, points), points);
    EXPECT_EQ(bench::samples_of_launch(96, 1001, points), 96'096u);
    EXPECT_THROW(bench::samples_of_launch(262'144, 16'385, points), UsageError);
    EXPECT_THROW(bench::samples_of_launch(points + 1, 1, points), UsageError);
}

TEST(StoppingRule, DefaultIsToMeasureUntilPrecise) {
    const bench::StoppingRule rule = stopping_rule({}, 1000);
    EXPECT_FALSE(rule.launches);
    EXPECT_EQ(rule.max_seconds, 15);
    EXPECT_EQ(rule.min_timings, 10u);
    EXPECT_EQ(rule.min_seconds, 0.5);
    EXPECT_EQ(rule.relative_half_width, 0.005);
}

TEST(StoppingRule, TakesMaxTime) {
    Options options;
    options.max_time = 2.5;
    EXPECT_EQ(stopping_rule(options, 1000).max_seconds, 2.5);
}

TEST(StoppingRule, TakesTheNumberOfLaunches) {
    Options options;
    options.launches = 7;
    EXPECT_EQ(stopping_rule(options, 1000).launches, 7u);
}

TEST(StoppingRule, RoundsSamplesUpToWholeLaunches) {
    for (const auto& [samples, launches] :
         {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {999, 1}, {1000, 1}, {1001, 2}, {1'000'000, 1000}}) {
        Options options;
        options.samples = samples;
        EXPECT_EQ(stopping_rule(options, 1000).launches, launches) << samples << " samples";
    }
}

TEST(StoppingRule, RefusesMoreThan64BitTotalsHold) {
    Options options;
    options.launches = two_to_63 / 1024;
    EXPECT_EQ(stopping_rule(options, 1024).launches, two_to_63 / 1024);
    options.launches = two_to_63 / 1024 + 1;
    EXPECT_THROW(stopping_rule(options, 1024), UsageError);
    options.launches = two_to_63;
    EXPECT_THROW(stopping_rule(options, 1024), UsageError);
    options.launches.reset();
    options.samples = UINT64_MAX;
    EXPECT_THROW(stopping_rule(options, 1024), UsageError);
}

constexpr bench::Units one_launch = {}, eight_blocks = {bench::Unit::block, 8};

TEST(StoppingRule, TakesSixteenUnitsAtLeastWhereTheyAreTheErrorEstimate) {
    EXPECT_EQ(stopping_rule({}, 1000, Independent::samples, one_launch).min_timings, 10u);
    EXPECT_EQ(stopping_rule({}, 1000, Independent::launches, one_launch).min_timings, 16u);
    EXPECT_EQ(stopping_rule({}, 1000, Independent::counts, one_launch).min_timings, 16u);
    EXPECT_EQ(stopping_rule({}, 1000, Independent::counts, eight_blocks).min_timings, 10u);
}

/// The line that refuses so many launches, or samples of which 1000 are a launch; empty where they are accepted.
std::string refusal(const Options& options, Independent independent, const bench::Units& units) {
    try {
        stopping_rule(options, 1000, independent, units);
        return "";
    } catch (const UsageError& error) {
        return error.what();
    }
}

Options launches_of(std::uint64_t launches) {
    Options options;
    options.launches = launches;
    return options;
}

TEST(StoppingRule, RefusesFewerLaunchesThanAnErrorEstimateNeeds) {
    EXPECT_EQ(
        refusal(launches_of(15), Independent::launches, one_launch),
        "--launches: 15 launches cannot be judged: each is one scrambling, and an error estimate needs at least 16");
    EXPECT_EQ(refusal(launches_of(16), Independent::launches, one_launch), "");
    Options samples;
    samples.samples = 1;
    EXPECT_EQ(refusal(samples, Independent::launches, one_launch),
              "--samples: 1 launch cannot be judged: each is one scrambling, and an error estimate needs at least 16");
    samples.samples = 15'001;
    EXPECT_EQ(refusal(samples, Independent::launches, one_launch), "");
}

TEST(StoppingRule, RefusesFewerBlocksThanAnErrorEstimateNeeds) {
    EXPECT_EQ(refusal(launches_of(1), Independent::counts, eight_blocks),
              "--launches: 1 launch of 8 blocks cannot be judged: an error estimate needs at least 16 blocks in all");
    EXPECT_EQ(refusal(launches_of(2), Independent::counts, eight_blocks), "");
    EXPECT_EQ(refusal(launches_of(15), Independent::counts, one_launch),
              "--launches: 15 launches of 1 block cannot be judged: an error estimate needs at least 16 blocks in all");
}

TEST(StoppingRule, IndependentSamplesNeedNoMoreThanOneLaunch) {
    EXPECT_EQ(refusal(launches_of(1), Independent::samples, one_launch), "");
    EXPECT_EQ(refusal(launches_of(1), Independent::samples, eight_blocks), "");
}

int code_of(const std::function<void()>& body, std::string* line) {
    testing::internal::CaptureStderr();
    const int code = guarded("pi_v0", body);
    *line = testing::internal::GetCapturedStderr();
    return code;
}

TEST(Guarded, SuccessIsZeroAndSilent) {
    std::string line;
    EXPECT_EQ(code_of([] {}, &line), 0);
    EXPECT_EQ(line, "");
}

TEST(Guarded, EveryErrorHasItsExitCodeAndOneLine) {
    const std::pair<int, std::function<void()>> errors[] = {
        {1, [] { throw bench::VerdictError("what happened"); }}, {2, [] { throw bench::UsageError("what happened"); }},
        {3, [] { throw bench::NoGpuError("what happened"); }},   {4, [] { throw bench::CudaError("what happened"); }},
        {5, [] { throw bench::WriteError("what happened"); }},
    };
    for (const auto& [code, body] : errors) {
        std::string line;
        EXPECT_EQ(code_of(body, &line), code);
        EXPECT_EQ(line, "pi_v0: what happened\n");
    }
    std::string line;
    EXPECT_EQ(code_of([] { throw bench::Interrupted(); }, &line), 130);
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
}

/// A task of launches of a million throws of a coin, of which 500,000 hit, give or take 500.
bench::Task task(const Options& options) {
    return {"pi_v0", options, {"v0", "Coin", "none", "thrown by hand", bench::Soundness::sound, {1, 2}}, 1'000'000};
}

Options pooled() {
    Options options;
    options.launches = 3700;
    return options;
}

struct Ending {
    int code;
    std::string out, error;
};

/// How a run ends that was interrupted after 12 launches with so many hits.
Ending interrupted(const Options& options, std::uint64_t hits = 6'000'000, std::uint64_t launches = 12) {
    Ending ending;
    testing::internal::CaptureStdout();
    ending.code = code_of(
        [&] {
            bench::end_interrupted(task(options), {hits, launches * 1'000'000}, {}, launches, 3700);
        },
        &ending.error);
    ending.out = testing::internal::GetCapturedStdout();
    return ending;
}

constexpr const char* line_of_12 = "pi_v0: interrupted after 12 of 3,700 launches, no result written\n";
constexpr const char* line_of_none = "pi_v0: interrupted, no result\n";

TEST(Interrupted, APooledRunTellsWhatItReached) {
    const Ending ending = interrupted(pooled());
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(ending.error, line_of_12);
    EXPECT_NE(ending.out.find("2.000000000 +- 0.00058"), std::string::npos) << ending.out;  // 2 / sqrt(12,000,000)
    EXPECT_EQ(ending.out.find("/ns"), std::string::npos) << ending.out;
}

TEST(Interrupted, StandardOutputIsForJsonAlone) {
    Options options = pooled();
    options.json = "-";
    const Ending ending = interrupted(options);
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.error, interrupted(pooled()).out + line_of_12);
}

TEST(Interrupted, QuietLeavesTheOneLine) {
    for (const char* json : {"", "-"}) {
        Options options = pooled();
        options.quiet = true;
        options.json = json;
        const Ending ending = interrupted(options);
        EXPECT_EQ(ending.code, 130);
        EXPECT_EQ(ending.out, "");
        EXPECT_EQ(ending.error, line_of_12);
    }
}

TEST(Interrupted, IsJudgedFirst) {
    const Ending ending = interrupted(pooled(), 6'020'000);  // 1732 give or take
    EXPECT_EQ(ending.code, 1);
    EXPECT_EQ(ending.out, "");
    EXPECT_NE(ending.error.find("sd from the expectation"), std::string::npos) << ending.error;
}

TEST(Interrupted, WithoutALaunchThereIsNothingToTell) {
    const Ending ending = interrupted(pooled(), 0, 0);
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.error, line_of_none);
}

TEST(Interrupted, ARunByTheStoppingRuleHasNothingToTell) {
    const Ending ending = interrupted({});
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.error, line_of_none);
}

/// The same task, of samples that depend on each other.
bench::Task dependent(const Options& options, Independent independent) {
    bench::Task result = task(options);
    result.subject.independent = independent;
    return result;
}

TEST(Measure, RefusesTooFewLaunchesBeforeTheFirst) {
    const Options options = launches_of(15);
    bench::Tally tally(1'000'000);
    bool launched = false;
    const auto time_batch = [&](std::uint64_t, unsigned) -> bench::BatchTime {
        launched = true;
        return {300, 0};
    };
    EXPECT_THROW(bench::measure_with_progress(dependent(options, Independent::launches), tally, time_batch, [] {}),
                 UsageError);
    EXPECT_FALSE(launched);
}

/// How a pooled run of such samples ends that was interrupted, with so many hits and a spread of the launches so far.
Ending interrupted(Independent independent, std::uint64_t hits, std::uint64_t launches, double ratio) {
    Ending ending;
    const Options options = pooled();
    testing::internal::CaptureStdout();
    ending.code = code_of(
        [&] {
            bench::end_interrupted(dependent(options, independent), {hits, launches * 1'000'000},
                                   bench::Spread{bench::Unit::launch, launches, ratio, 0}, launches, 3700);
        },
        &ending.error);
    ending.out = testing::internal::GetCapturedStdout();
    return ending;
}

TEST(Interrupted, ASpreadOfFewLaunchesIsNoErrorEstimate) {
    const Ending ending = interrupted(Independent::launches, 6'000'100, 12, 1e-9);
    EXPECT_EQ(ending.code, 130);
    EXPECT_NE(ending.out.find("too few launches for an error"), std::string::npos) << ending.out;
    EXPECT_EQ(ending.out.find("+-"), std::string::npos) << ending.out;
    EXPECT_EQ(interrupted(Independent::launches, 6'020'000, 12, 1000).code, 1) << "12 binomial sd off";
    EXPECT_EQ(interrupted(Independent::counts, 6'020'000, 12, 1000).code, 130) << "the binomial is no bound";
    EXPECT_EQ(interrupted(Independent::counts, 12'000'001, 12, 1000).code, 1) << "more hits than samples";
}

// Of 16 launches 8,000,000, give or take 2000: with a hundredth of that variance, 200.
TEST(Interrupted, IsJudgedByTheSpreadOfEnoughLaunches) {
    const Ending ending = interrupted(Independent::launches, 8'001'600, 16, 0.01);
    EXPECT_EQ(ending.code, 130);
    EXPECT_NE(ending.out.find("2.000400000 +- 5e-05 (1 sd, as measured)"), std::string::npos) << ending.out;
    EXPECT_EQ(interrupted(Independent::launches, 8'001'700, 16, 0.01).code, 1);
}

/// The exit code and the line with which a finished run of the stopping rule is published, quietly.
std::pair<int, std::string> published(Independent independent, std::uint64_t hits, std::uint64_t launches,
                                      const std::optional<bench::Spread>& spread, const bench::Units& units = {}) {
    Options options;
    options.quiet = true;
    std::string line;
    const int code = code_of(
        [&] {
            bench::Task work = dependent(options, independent);
            work.units = units;
            bench::Run run = {};
            run.subject = work.subject;
            run.launches = launches;
            run.outcome = {hits, launches * 1'000'000};
            run.spread = spread;
            bench::publish(work, {}, run);
        },
        &line);
    return {code, line};
}

// Of 16 launches 8,000,000, give or take 2000.
TEST(Publish, JudgesIndependentSamplesByTheBinomial) {
    const bench::Spread narrow = {bench::Unit::launch, 16, 0.01, 0};
    EXPECT_EQ(published(Independent::samples, 8'009'900, 16, narrow).first, 0);
    EXPECT_EQ(published(Independent::samples, 8'009'900, 16, std::nullopt).first, 0);
    EXPECT_EQ(published(Independent::samples, 8'010'100, 16, narrow).first, 1);
}

TEST(Publish, JudgesOthersByTheirSpread) {
    for (const auto independent : {Independent::counts, Independent::launches}) {
        EXPECT_EQ(published(independent, 8'001'600, 16, bench::Spread{bench::Unit::launch, 16, 0.01, 0}).first, 0);
        EXPECT_EQ(published(independent, 8'001'700, 16, bench::Spread{bench::Unit::launch, 16, 0.01, 0}).first, 1);
        EXPECT_EQ(published(independent, 8'160'000, 16, bench::Spread{bench::Unit::launch, 16, 100, 0}).first, 0);
        EXPECT_EQ(published(independent, 8'000'000, 16, std::nullopt).first, 1) << "a spread that is not known";
    }
}

TEST(Publish, RefusesTooFewLaunchesWithinMaxTime) {
    const auto [code, line] =
        published(Independent::launches, 1'500'000, 3, bench::Spread{bench::Unit::launch, 3, 1, 1});
    EXPECT_EQ(code, 2);
    EXPECT_EQ(line,
              "pi_v0: --max-time: 3 launches cannot be judged: each is one scrambling, and an error estimate needs at "
              "least 16\n");
    EXPECT_EQ(
        published(Independent::counts, 500'000, 1, bench::Spread{bench::Unit::block, 8, 1, 1}, eight_blocks).first, 2);
}

TEST(JudgeSoFar, OfOneLaunchIsCoarse) {
    const auto judged = [](Independent independent, std::uint64_t hits) {
        std::string line;
        return code_of(
            [&] {
                bench::judge_so_far(dependent({}, independent).subject, {hits, 1'000'000}, std::nullopt);
            },
            &line);
    };
    EXPECT_EQ(judged(Independent::launches, 502'400), 0);
    EXPECT_EQ(judged(Independent::launches, 502'600), 1);
    EXPECT_EQ(judged(Independent::counts, 600'000), 0);
}

/// Measures with launches of 300 ms, of which the first is the warm-up, and leaves the program with the exit code. A
/// signal comes during one of them, which is finished nevertheless.
[[noreturn]] void measure_and_exit(const Options& options, unsigned launch) {
    unsigned launches = 0;
    std::exit(guarded("pi_v0", [&] {
        bench::Tally tally(1'000'000);
        const auto time_batch = [&](std::uint64_t, unsigned) -> bench::BatchTime {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            if (++launches == launch) {
                std::raise(SIGTERM);
            }
            const Count hits = launches == 1 ? 0 : 500'000;  // the warm-up's would fail the verdict
            tally.add({&hits, 1});
            return {300, 0};
        };
        bench::measure_with_progress(task(options), tally, time_batch, [] {});
    }));
}

TEST(InterruptedDeathTest, LaunchesOfTheWarmUpDoNotCount) {
    EXPECT_EXIT(measure_and_exit(pooled(), 1), testing::ExitedWithCode(130), "^pi_v0: interrupted, no result\n$");
}

TEST(InterruptedDeathTest, LaunchesDoneCount) {
    EXPECT_EXIT(measure_and_exit(pooled(), 3), testing::ExitedWithCode(130),
                "^pi_v0: interrupted after 2 of 3,700 launches, no result written\n$");
}

TEST(InterruptedDeathTest, AfterTheLastLaunchThereIsStillNoResult) {
    Options options = pooled();
    options.launches = 2;
    EXPECT_EXIT(measure_and_exit(options, 3), testing::ExitedWithCode(130),
                "^pi_v0: interrupted after 2 of 2 launches, no result written\n$");
}

TEST(InterruptedDeathTest, ARunByTheStoppingRuleTellsNothing) {
    EXPECT_EXIT(measure_and_exit({}, 3), testing::ExitedWithCode(130), "^pi_v0: interrupted, no result\n$");
}

/// Measures launches that each hit 10 more or less often than half, where the binomial's standard deviation is 500, with a
/// signal during the last of so many; leaves the program with the exit code.
[[noreturn]] void measure_point_sets_and_exit(unsigned launches) {
    std::exit(guarded("pi_v0", [&] {
        Options options = pooled();
        options.json = "-";  // the report goes to stderr
        const bench::Task work = dependent(options, Independent::launches);
        bench::Tally tally(work.samples_per_launch, work.units);
        bool warm = false;
        const auto time_batch = [&](std::uint64_t first, unsigned) -> bench::BatchTime {
            if (warm && first + 1 == launches) {
                std::raise(SIGTERM);
            }
            const Count hits = first % 2 == 0 ? 499'990 : 500'010;
            tally.add({&hits, 1});
            return {300, 0};
        };
        bench::measure_with_progress(work, tally, time_batch, [&] { warm = true; });
    }));
}

// A variance of 100 * 20 / 19 a launch: for 20, an sd of the hits of 45.9, and of the estimate of 9.2e-06.
TEST(InterruptedDeathTest, TheSpreadOfTheLaunchesDoneCounts) {
    EXPECT_EXIT(measure_point_sets_and_exit(20), testing::ExitedWithCode(130),
                "2\\.000000000 \\+- 9\\.2e-06 \\(1 sd, as measured\\)");
    EXPECT_EXIT(measure_point_sets_and_exit(15), testing::ExitedWithCode(130), "too few launches for an error");
}

// A signal that comes when everything is measured, and nothing is written yet.
[[noreturn]] void publish_and_exit() {
    std::exit(guarded("pi_v0", [] {
        const Options options = pooled();
        bench::Run run = {};
        run.launches = 3700;
        run.outcome = {1'850'000'000, 3'700'000'000};
        std::raise(SIGINT);
        bench::publish(task(options), {}, run);
    }));
}

TEST(InterruptedDeathTest, NothingIsPublishedAfterASignal) {
    EXPECT_EXIT(publish_and_exit(), testing::ExitedWithCode(130),
                "^pi_v0: interrupted after 3,700 of 3,700 launches, no result written\n$");
}

TEST(TraceOf, IsForPooledRuns) {
    bench::Tally tally(10);
    const Count hits = 7;
    tally.add({&hits, 1});
    EXPECT_EQ(bench::trace_of({}, tally), std::nullopt);
    ASSERT_TRUE(bench::trace_of(pooled(), tally));
    EXPECT_EQ(bench::trace_of(pooled(), tally)->size(), 1u);
    Options samples;
    samples.samples = 1;
    EXPECT_TRUE(bench::trace_of(samples, tally));
}

}  // namespace
