// A run as it is told to people.
#include "bench/tell/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/host/bench/sample_runs.hpp"

namespace {

using namespace sample_runs;

/// The line that begins with a label.
std::string line_of(const std::string& text, const std::string& label) {
    const auto start = text.find("\n  " + label + " ");
    return start == std::string::npos ? "no line " + label : text.substr(start + 1, text.find('\n', start + 1) - start);
}

TEST(Text, NamesTheDeviceAndTheUnitOfTheRate) {
    const std::string text = to_text(context(), run());
    EXPECT_NE(text.find("samples/ns"), std::string::npos) << text;
    EXPECT_NE(text.find("NVIDIA H200"), std::string::npos) << text;
}

TEST(Text, PooledRunsTellHowFarToBelieveThem) {
    const std::string text = to_text(context(), run_of_lcg_mantissa());
    EXPECT_EQ(
        line_of(text, "pi"),
        "  pi        3.141596015 +- 5.2e-06 (1 sd) from 100,000,000,000 samples, +0.50 sd from its expectation\n");
    EXPECT_EQ(line_of(text, "bias"), "  bias      +7.64e-07 known, from coordinates and generator (4P - pi)\n");
    EXPECT_EQ(line_of(text, "believed"),
              "  believed  3.1416 (bias and two sd come to 1.1e-05; right to +-1 in the last digit)\n");
    EXPECT_NE(line_of(text, "rate").find("samples/ns"), std::string::npos) << text;
}

TEST(Text, OtherRunsTellTheirEstimateOnly) {
    const std::string text = to_text(context(), run());
    EXPECT_EQ(line_of(text, "pi"), "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n");
    EXPECT_EQ(text.find("believed"), std::string::npos) << text;
}

TEST(Text, DemonstrationsSayThatTheirSdIsThatOfIndependentSamples) {
    auto demonstration = run_of_lcg_mantissa();
    demonstration.subject.soundness = bench::Soundness::demonstration;
    EXPECT_NE(line_of(to_text(context(), demonstration), "pi").find("independent"), std::string::npos);
    for (const auto soundness : {bench::Soundness::sound, bench::Soundness::sound_in_24_bits}) {
        auto other = run_of_lcg_mantissa();
        other.subject.soundness = soundness;
        EXPECT_EQ(to_text(context(), other).find("independent"), std::string::npos);
    }
}

TEST(Text, ACertainOutcomeHasABiasAndNoSpread) {
    const std::string text = to_text(context(), certain_run());
    EXPECT_EQ(line_of(text, "pi"),
              "  pi        4.000000000 +- 0 (1 sd) from 3,000,000 samples, +0.00 sd from its expectation\n");
    EXPECT_EQ(line_of(text, "bias"), "  bias      +0.858 known, from coordinates and generator (4P - pi)\n");
    EXPECT_EQ(line_of(text, "believed"), "  believed  no digit (bias and two sd come to 0.86)\n");
}

TEST(Text, InterruptedRunsTellWhatWasReachedAndNoRate) {
    const auto whole = run_of_lcg_mantissa();
    const std::string text = interrupted_text(whole.subject, whole.outcome, {}, 12, 3700);
    EXPECT_NE(text.substr(0, text.find('\n')).find("12 of 3,700 launches"), std::string::npos) << text;
    for (const char* label : {"pi", "bias", "believed"}) {
        EXPECT_EQ(line_of(text, label), line_of(to_text(context(), whole), label));
    }
    EXPECT_EQ(text.find("/ns"), std::string::npos) << text;
}

TEST(Text, ProfilesHaveNoRate) {
    for (const char* tool : {"", "Nsight Compute"}) {
        const std::string text = profile_text(run().subject, run().outcome, {}, tool);
        EXPECT_NE(line_of(text, "pi"), "");
        EXPECT_EQ(text.find("/ns"), std::string::npos) << text;
    }
}

TEST(Text, AProfileThatAToolImpliesSaysSoInOneLine) {
    const std::string text = profile_text(run().subject, run().outcome, {}, "Nsight Compute");
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_NE(first.find("one launch under Nsight Compute, not timed"), std::string::npos) << first;
    EXPECT_NE(first.find("--no-profile"), std::string::npos) << first;
    const std::string asked = profile_text(run().subject, run().outcome, {});
    EXPECT_EQ(text.substr(text.find('\n')), asked.substr(asked.find('\n'))) << "the rest is as ever";
}

TEST(Text, DependentSamplesTellWhatTheRateIsWorth) {
    const std::string text = to_text(context(), dependent(run(), bench::Independent::counts, 10'560));
    EXPECT_EQ(
        line_of(text, "effective"),
        "  effective 3.125 samples/ns: variance 0.16 of the binomial, 0.04 +- 0.009 measured over 10,560 blocks\n");
    EXPECT_GT(text.find("\n  effective"), text.find("\n  rate"));
    const std::string launches = to_text(context(), dependent(run(), bench::Independent::launches));
    EXPECT_EQ(line_of(launches, "effective"),
              "  effective 12.5 samples/ns: variance 0.04 +- 0.009 of the binomial measured over 40 launches\n");
}

TEST(Text, IndependentSamplesAreWorthWhatTheyAre) {
    auto with = run();
    with.spread = bench::Spread{bench::UnitOfSpread::block, 792, 1.02, 0.05};
    EXPECT_EQ(to_text(context(), with), to_text(context(), run()));
}

// A fifth of the binomial's standard deviation, so five times the distance.
TEST(Text, DependentSamplesHaveTheMeasuredStandardDeviation) {
    auto pooled = dependent(run_of_lcg_mantissa(), bench::Independent::launches);
    pooled.subject.soundness = bench::Soundness::demonstration;
    const std::string text = to_text(context(), pooled);
    EXPECT_EQ(line_of(text, "pi"),
              "  pi        3.141596015 +- 1e-06 (1 sd, as measured) from 100,000,000,000 samples, +2.50 sd from its "
              "expectation\n");
    EXPECT_EQ(line_of(text, "believed"),
              "  believed  3.14160 (bias and two sd come to 2.8e-06; right to +-1 in the last digit)\n");
    auto other = dependent(run(), bench::Independent::launches);
    other.outcome.hits = 1'500'100;  // 0.11547 of the binomial's
    EXPECT_EQ(line_of(to_text(context(), other), "pi"),
              "  pi        2.000133333 from 3,000,000 samples, +0.58 sd from its expectation\n");
}

TEST(Text, AFineStandardDeviationHasTheDecimalsThatReachIt) {
    auto fine = dependent(run_of_lcg_mantissa(), bench::Independent::launches);
    fine.spread->variance_ratio = 1e-9;  // an sd of 1.6e-10
    const std::string pooled = to_text(context(), fine);
    EXPECT_EQ(line_of(pooled, "pi").find("  pi        3.1415960149 +- 1.6e-10 (1 sd, as measured) from"), 0u) << pooled;
    fine.trace.reset();
    const std::string other = to_text(context(), fine);
    EXPECT_EQ(line_of(other, "pi").find("  pi        3.1415960149 from"), 0u) << other;
}

TEST(Text, InterruptedTooSoonThereIsNoError) {
    const auto whole = dependent(run_of_lcg_mantissa(), bench::Independent::launches, 15);
    const std::string early = interrupted_text(whole.subject, whole.outcome, whole.spread, 15, 3700);
    EXPECT_EQ(line_of(early, "pi"),
              "  pi        3.141596015 from 100,000,000,000 samples; too few launches for an error\n");
    EXPECT_NE(early.find("\n  bias "), std::string::npos) << early;
    EXPECT_EQ(early.find("believed"), std::string::npos) << early;
    EXPECT_EQ(early.find("+-"), std::string::npos) << early;
    const auto enough = dependent(run_of_lcg_mantissa(), bench::Independent::launches, 16);
    const std::string text = interrupted_text(enough.subject, enough.outcome, enough.spread, 16, 3700);
    EXPECT_EQ(line_of(text, "pi"), line_of(to_text(context(), enough), "pi"));
}

TEST(Text, AProfileOfAPointSetSaysThatItHasNoError) {
    const auto of_launches = dependent(run(), bench::Independent::launches);
    EXPECT_EQ(line_of(profile_text(of_launches.subject, of_launches.outcome, {}), "pi"),
              "  pi        2.000000000 from 3,000,000 samples; one launch has no error estimate\n");
    const auto of_blocks = dependent(run(), bench::Independent::counts);
    EXPECT_EQ(line_of(profile_text(of_blocks.subject, of_blocks.outcome, of_blocks.spread), "pi"),
              "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n");
}

TEST(Grouped, SeparatesThousands) {
    EXPECT_EQ(bench::grouped(0), "0");
    EXPECT_EQ(bench::grouped(999), "999");
    EXPECT_EQ(bench::grouped(1'000), "1,000");
    EXPECT_EQ(bench::grouped(1'000'000), "1,000,000");
    EXPECT_EQ(bench::grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Text, HasNoRateWhereNothingWasTimed) {
    for (const auto independent : {bench::Independent::samples, bench::Independent::launches}) {
        const std::string text = to_text(context(), dependent(run_with_nothing_left(), independent));
        EXPECT_EQ(text.find("/ns"), std::string::npos) << text;
        EXPECT_EQ(text.find("ms each"), std::string::npos) << text;
        EXPECT_NE(text.find("\n  believed "), std::string::npos) << text;
    }
    EXPECT_EQ(line_of(to_text(context(), run_with_nothing_left()), "launches"),
              "  launches  3 of 1,000,000 samples, 3 of them before, seed 18446744073709551615\n");
}

TEST(Text, TellsHowManyLaunchesWereDoneBefore) {
    auto resumed = pooled_run();
    resumed.launches = 5000;
    resumed.resumed_from = 1234;
    EXPECT_EQ(line_of(to_text(context(), resumed), "launches"),
              "  launches  5000 of 1,000,000 samples, 2 ms each, 1,234 of them before, seed 18446744073709551615\n");
    EXPECT_EQ(to_text(context(), pooled_run()).find("before"), std::string::npos);
}

/// The lines that tell of a team: from its label to the next one.
std::string team_of(const std::string& text) {
    const auto start = text.find("\n  team ");
    const auto end = text.find("\n  launches ");
    return start == std::string::npos ? "" : text.substr(start + 1, end - start);
}

TEST(Text, APlainRunHasNoTeam) {
    EXPECT_EQ(team_of(to_text(context(), run())), "");
    EXPECT_EQ(team_of(to_text(cpu_context(), cpu_run())), "");
}

TEST(Text, TellsOfEachDevice) {
    EXPECT_EQ(team_of(to_text(context(), run_of_devices())),
              "  team      device 2, NVIDIA H200: 0.5 samples/ns, 1965 MHz, 250 W\n"
              "            device 0, NVIDIA H200\n");
}

TEST(Text, TellsOfEachRank) {
    EXPECT_EQ(team_of(to_text(context(), run_of_ranks())),
              "  team      rank 0 on a, NVIDIA H200: 0.25 samples/ns\n"
              "            rank 1 on b, device 1, NVIDIA H200: 0.25 samples/ns\n"
              "            rank 2 on a, NVIDIA H200: 0.25 samples/ns\n");
}

TEST(Text, TellsOfTheFirstSixteenOfMany) {
    const auto lines = [](std::size_t members) {
        auto many = run_of_ranks();
        many.team->report.members.resize(members, member(1, 0.25));
        return team_of(to_text(context(), many));
    };
    EXPECT_EQ(std::ranges::count(lines(16), '\n'), 16);
    EXPECT_EQ(lines(16).find("more"), std::string::npos) << lines(16);
    EXPECT_EQ(std::ranges::count(lines(17), '\n'), 17);
    EXPECT_NE(lines(17).find("\n            and 1 more\n"), std::string::npos) << lines(17);
    EXPECT_NE(lines(500).find("\n            and 484 more\n"), std::string::npos) << lines(500);
}

}  // namespace
