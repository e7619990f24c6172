// How many launches the options mean, and how an error becomes an exit code.
#include "bench/session.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace {

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

}  // namespace
