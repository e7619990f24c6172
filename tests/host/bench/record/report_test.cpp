// The report of a run.
#include "bench/record/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/host/bench/sample_runs.hpp"

namespace {

using namespace sample_runs;

/// The line that begins with a label.
std::string line_of(const std::string& text, const std::string& label) {
    const auto start = text.find("\n  " + label + " ");
    return start == std::string::npos ? "no line " + label : text.substr(start + 1, text.find('\n', start + 1) - start);
}

TEST(Text, NamesTheDeviceAndTheUnitOfTheWork) {
    const std::string text = to_text(context(), run());
    EXPECT_NE(text.find("NVIDIA H200"), std::string::npos) << text;
    EXPECT_EQ(line_of(text, "grid"), "  grid      264 blocks of 256 threads, 1,000 path-steps per thread\n");
    EXPECT_EQ(line_of(text, "power"), "  power     250 W, 2e+06 path-steps per joule\n");
    EXPECT_EQ(line_of(text, "rate"), "  rate      0.5 path-steps/ns, range [0.25, 1]\n");
    EXPECT_EQ(line_of(to_text(cpu_context(), cpu_run()), "streams"), "  streams   4,096 of 1,000 path-steps each\n");
    EXPECT_EQ(text.find("sample"), std::string::npos) << text;
}

TEST(Text, TheEstimandTellsTheEstimate) {
    EXPECT_EQ(line_of(to_text(context(), run()), "length"), "  length    3,000,000 until the rate is known\n");
    EXPECT_EQ(line_of(to_text(context(), pooled_run()), "length"), "  length    3,000,000 of fixed work\n");
}

TEST(Text, HasTheMedianTimeOfEachPhase) {
    EXPECT_EQ(line_of(to_text(context(), run()), "phases"), "  phases    seed 0.75 ms, walk 1 ms, reduce 0.25 ms\n");
    EXPECT_EQ(to_text(cpu_context(), cpu_run()).find("phases"), std::string::npos) << "the only one is the launch";
}

TEST(Text, OnTheWallClockTellsWhatBelongsToNoPhase) {
    auto wall = run();
    wall.subject.clock = bench::Clock::wall;
    wall.kernel_ms = {4.5, 1.25, 2.5};  // 0.5, 0.25 and 0.5 more than the phases
    EXPECT_EQ(line_of(to_text(context(), wall), "phases"),
              "  phases    seed 0.75 ms, walk 1 ms, reduce 0.25 ms, other 0.5 ms\n");
    wall.kernel_ms = {2, 0.5, 1};
    EXPECT_EQ(line_of(to_text(context(), wall), "phases"),
              "  phases    seed 0.75 ms, walk 1 ms, reduce 0.25 ms, side by side\n");
}

TEST(Text, AKernelOfALibraryHasNoLineOfResources) {
    auto library = run();
    library.gpu->kernel.reset();
    EXPECT_EQ(line_of(to_text(context(), library), "resources"), "no line resources");
    EXPECT_EQ(line_of(to_text(context(), library), "grid"), line_of(to_text(context(), run()), "grid"));
}

TEST(Text, InterruptedRunsTellWhatWasReachedAndNoRate) {
    EXPECT_EQ(interrupted_text(run().subject, run().tally, 3700),
              "v7  Xorshift32: interrupted after 3 of 3,700 launches\n"
              "  length    3,000,000 of fixed work\n");
}

TEST(Text, ProfilesHaveNoRate) {
    EXPECT_EQ(profile_text(run().subject, tally_of({1'000'000})),
              "v7  Xorshift32: one launch for a profiler, not timed and not rehearsed\n"
              "  length    1,000,000 of one launch\n");
}

TEST(Text, AProfileThatAToolImpliesSaysSoInOneLine) {
    const std::string text = profile_text(run().subject, run().tally, "Nsight Compute");
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_NE(first.find("one launch under Nsight Compute, not timed"), std::string::npos) << first;
    EXPECT_NE(first.find("--no-profile"), std::string::npos) << first;
    const std::string asked = profile_text(run().subject, run().tally);
    EXPECT_EQ(text.substr(text.find('\n')), asked.substr(asked.find('\n'))) << "the rest is as ever";
}

const sample_estimand::Walks dependent(bench::Soundness::sound, bench::VarianceRatio{0.04, "variance 0.04 of it"});

TEST(Text, DependentUnitsTellWhatTheRateIsWorth) {
    const std::string text = to_text(context(), run(dependent));
    EXPECT_EQ(line_of(text, "effective"), "  effective 12.5 path-steps/ns: variance 0.04 of it\n");
    EXPECT_GT(text.find("\n  effective"), text.find("\n  rate"));
}

TEST(Text, IndependentUnitsAreWorthWhatTheyAre) {
    EXPECT_EQ(to_text(context(), run()).find("effective"), std::string::npos);
}

TEST(Grouped, SeparatesThousands) {
    EXPECT_EQ(bench::grouped(0), "0");
    EXPECT_EQ(bench::grouped(999), "999");
    EXPECT_EQ(bench::grouped(1'000), "1,000");
    EXPECT_EQ(bench::grouped(1'000'000), "1,000,000");
    EXPECT_EQ(bench::grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Text, HasNoRateWhereNothingWasTimed) {
    const std::string text = to_text(context(), run_with_nothing_left(dependent));
    EXPECT_EQ(text.find("/ns"), std::string::npos) << text;
    EXPECT_EQ(text.find(" ms"), std::string::npos) << text;
    EXPECT_EQ(line_of(text, "length"), "  length    3,000,000 of fixed work\n");
    EXPECT_EQ(line_of(text, "launches"),
              "  launches  3 of 1,000,000 path-steps, 3 of them in an earlier part, seed 18446744073709551615\n");
}

TEST(Text, TellsHowManyLaunchesWereDoneBefore) {
    auto resumed = pooled_run();
    resumed.launches = 5000;
    resumed.resumed_from = 1234;
    EXPECT_EQ(line_of(to_text(context(), resumed), "launches"),
              "  launches  5000 of 1,000,000 path-steps, 2 ms each, 1,234 of them in an earlier part, seed "
              "18446744073709551615\n");
    EXPECT_EQ(to_text(context(), pooled_run()).find("before"), std::string::npos);
}

/// The lines of a team: from its label to the next one.
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
              "  team      device 2, NVIDIA H200: 0.5 path-steps/ns, 1965 MHz, 250 W\n"
              "            device 0, NVIDIA H200\n");
}

TEST(Text, TellsOfEachRank) {
    EXPECT_EQ(team_of(to_text(context(), run_of_ranks())),
              "  team      rank 0 on a, NVIDIA H200: 0.25 path-steps/ns\n"
              "            rank 1 on b, device 1, NVIDIA H200: 0.25 path-steps/ns\n"
              "            rank 2 on a, NVIDIA H200: 0.25 path-steps/ns\n");
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
