// How many launches the options mean, and how an error becomes an exit code.
#include "bench/session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace {

using bench::Count;
using bench::guarded;
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
            bench::end_interrupted(task(options), {hits, launches * 1'000'000}, launches, 3700);
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
