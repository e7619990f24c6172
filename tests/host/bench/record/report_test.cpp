// The report of a run.
#include "bench/record/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "bench/text.hpp"
#include "tests/host/bench/record/sample_runs.hpp"

namespace {

using namespace sample_runs;

TEST(Text, OfARunOnAGpu) {
    EXPECT_EQ(to_text(run()),
              "v7  Xorshift32: own \"generator\"\n"
              "  device    NVIDIA H200, 132 multiprocessors, compute capability 9.0\n"
              "  grid      264 blocks of 256 threads, 1,000 path-steps per thread\n"
              "  resources 32 registers, 8192 bytes of shared memory, occupancy 75 %\n"
              "  clock     1966 MHz of 1980, 45 to 62 °C, power cap in 2 of 3 timings\n"
              "  power     250 W, 2e+06 path-steps per joule\n"
              "  phases    seed 0.75 ms, walk 1 ms, reduce 0.25 ms\n"
              "  launches  3 of 1,000,000 path-steps, 2 ms each, seed 18446744073709551615\n"
              "  length    3,000,000 until the rate is known\n"
              "  rate      0.5 path-steps/ns, range [0.25, 1]\n");
}

TEST(Text, OfARunOnTheCpu) {
    EXPECT_EQ(to_text(cpu_run()),
              "cpu_openmp  Xorshift32: own \"generator\"\n"
              "  host      Some CPU, 16 threads on 16 of 32 cores, x86-64-v4\n"
              "  streams   4,096 of 1,000 path-steps each\n"
              "  launches  3 of 1,000,000 path-steps, 2 ms each, seed 18446744073709551615\n"
              "  length    3,000,000 until the rate is known\n"
              "  rate      0.5 path-steps/ns, range [0.25, 1]\n");
}

// It was finished by an earlier part.
TEST(Text, HasNoRateWhereNothingWasTimed) {
    Record record = run_with_nothing_left();
    record.kernel.reset();  // a library has it
    record.rehearsed = {{.brief = {1, 12, 264, 17'369'088}, .full = {}, .seconds = 1}};
    EXPECT_EQ(to_text(record),
              "v7  Xorshift32: own \"generator\"\n"
              "  device    NVIDIA H200, 132 multiprocessors, compute capability 9.0\n"
              "  grid      264 blocks of 256 threads, 1,000 path-steps per thread\n"
              "  rehearsal 12 of 264 blocks with 257 path-steps a thread match the CPU's recomputation\n"
              "  launches  3 of 1,000,000 path-steps, 3 of them in an earlier part, seed 18446744073709551615\n"
              "  length    3,000,000 of fixed work\n");
}

void expect_line(const Record& run, const std::string& line) {
    const std::string text = to_text(run);
    EXPECT_NE(text.find("\n  " + line + "\n"), std::string::npos) << text << "lacks " << line;
}

TEST(Text, CountsOneBlockAndOneThread) {
    for (auto& [record, line] : {std::pair(run(), "grid      1 block of 1 thread, 1,000 path-steps per thread"),
                                 std::pair(cpu_run(), "host      Some CPU, 1 thread on 16 of 32 cores, x86-64-v4")}) {
        Record one = record;
        bench::LaunchSpec spec = record.tally.spec();
        spec.shape = {1, 1};
        one.tally = bench::Tally(record.tally.estimand(), spec);
        one.tally.restore(record.tally.state());
        expect_line(one, line);
    }
}

TEST(Text, OfARunOnTheCpuThatWasRehearsed) {
    Record record = cpu_run();
    const std::uint64_t streams = record.tally.spec().streams;
    record.rehearsed = {
        {.brief = {1, 7, 1'024, 257 * streams}, .full = {1, 2, 1'024, 2'000'000 * streams}, .seconds = 1}};
    expect_line(record,
                "rehearsal 7 of 1,024 parts with 257 path-steps a stream, 2 of 1,024 parts with 2,000,000 "
                "path-steps a stream match the CPU's recomputation");
    record.audits = {{.timed = 3'700,
                      .full = {8, 8, 1'024, 1},
                      .brief = {24, 24, 1'024, 257 * streams},
                      .entropy = 1,
                      .seconds = 1}};
    expect_line(record,
                "audit     32 of 3,700 launches replayed in a part: 8 as they were timed, 24 again with 257 "
                "path-steps a stream");
    record.rehearsed = {{.brief = {1, 1, 1, 1'048'576}, .full = {}, .seconds = 1}};
    expect_line(record, "rehearsal a launch of 1,048,576 path-steps matches the CPU's recomputation");
    record.rehearsed->full = {1, 1, 1, 2'097'152, 65'536};
    expect_line(record,
                "rehearsal a launch of 1,048,576 path-steps, a launch of 2,097,152 path-steps on 65,536 vertices "
                "match the CPU's recomputation");
}

TEST(Text, OnTheWallClockTellsWhatBelongsToNoPhase) {
    Record wall = run();
    wall.launched.clock = bench::Clock::wall;
    wall.measured.ms = {4.5, 1.25, 2.5};  // 0.5, 0.25 and 0.5 more than the phases
    expect_line(wall, "phases    seed 0.75 ms, walk 1 ms, reduce 0.25 ms, other 0.5 ms");
    wall.measured.ms = {2, 0.5, 1};
    expect_line(wall, "phases    seed 0.75 ms, walk 1 ms, reduce 0.25 ms, side by side");
}

TEST(Text, OfABatchedAndResumedRunWhoseUnitsDepend) {
    const sample_estimand::Walks dependent(bench::Soundness::sound,
                                           bench::VarianceRatio{.value = 0.04, .origin = "variance 0.04 of it"});
    Record resumed = run(dependent);
    resumed.launches = 5000;
    resumed.resumed_from = 1234;
    resumed.measured.batch = 8;
    expect_line(
        resumed,
        "launches  5000 of 1,000,000 path-steps, 2 ms each (timed 8 at once), 1,234 of them in an earlier part, "
        "seed 18446744073709551615");
    expect_line(resumed, "effective 12.5 path-steps/ns: variance 0.04 of it");
}

// 49 launches of 2 ms and one of 27 make a million path-steps each: 50 million in 125 ms.
TEST(Text, TellsTheRateOfAllLaunchesWhereTheMedianIsAnother) {
    Record slow_once = run();
    slow_once.measured.ms.assign(50, 2);
    slow_once.measured.ms[20] = 27;
    slow_once.measured.work.assign(50, 1e6);
    slow_once.measured.timed_ms = 125;
    slow_once.measured.timed_work = 5e7;
    expect_line(slow_once,
                "rate      0.5 path-steps/ns, 95 % interval of the median [0.5, 0.5]; 0.4 over all launches");
}

// Three million path-steps in 8 ms, 7 of them in launches.
TEST(Text, OfFixedWorkTellsTheRateByTheWall) {
    Record fixed = run();
    fixed.occasion = bench::Occasion::pooled;
    expect_line(fixed, "by wall   0.375 path-steps/ns: 0.01 s, 87.5 % of them in launches");
    EXPECT_EQ(to_text(run()).find("by wall"), std::string::npos);
    EXPECT_EQ(to_text(run_with_nothing_left()).find("by wall"), std::string::npos);
}

TEST(Text, OfInterruptedRunsAndProfilesHasNoRate) {
    EXPECT_EQ(interrupted_text("v7", step(), run().tally, 3700),
              "v7  Xorshift32: interrupted after 3 of 3,700 launches\n"
              "  length    3,000,000 of fixed work\n");
    for (const auto& [tool, why] :
         {std::pair("", "for a profiler, not timed and not rehearsed"),
          {"Nsight Compute", "under Nsight Compute, not timed and not rehearsed (--no-profile switches this off)"}}) {
        EXPECT_EQ(profile_text("v7", step(), tally_of({1'000'000}), tool),
                  std::string("v7  Xorshift32: one launch ") + why + "\n  length    1,000,000 of one launch\n");
    }
}

TEST(Text, TellsOfEachMemberOfATeam) {
    expect_line(run_of_devices(),
                "team      device 2, NVIDIA H200: 0.5 path-steps/ns, 1965 MHz, 45 to 62 °C, 250 W\n"
                "            device 0, NVIDIA H200");
    expect_line(run_of_ranks(),
                "team      rank 0 on a, NVIDIA H200: 0.25 path-steps/ns\n"
                "            rank 1 on b, device 1, NVIDIA H200: 0.25 path-steps/ns\n"
                "            rank 2 on a, NVIDIA H200: 0.25 path-steps/ns");
}

TEST(Text, TellsOfTheFirstSixteenOfMany) {
    Record many = run_of_ranks();
    many.members.assign(16, member(1, 0.25));
    EXPECT_EQ(to_text(many).find("more"), std::string::npos) << to_text(many);
    many.members.resize(500, member(1, 0.25));
    expect_line(many, "          and 484 more");
    EXPECT_EQ(std::ranges::count(to_text(many), '\n') - std::ranges::count(to_text(run()), '\n'), 17 - 2)
        << "without the lines of clock and power";
}

TEST(Grouped, SeparatesThousands) {
    for (const auto& [number, text] : {std::pair(std::uint64_t{0}, "0"),
                                       {999, "999"},
                                       {1'000, "1,000"},
                                       {1'000'000, "1,000,000"},
                                       {UINT64_MAX, "18,446,744,073,709,551,615"}}) {
        EXPECT_EQ(bench::grouped(number), text);
    }
}

TEST(Report, OfASumOfStoredRunsNamesTheGridButNoDevice) {
    Record sum = run_with_nothing_left();
    sum.context.device.reset();
    sum.kernel.reset();
    sum.members.clear();
    const std::string text = bench::to_text(sum);
    EXPECT_EQ(text.find("device"), std::string::npos) << text;
    EXPECT_NE(text.find("264 blocks of 256 threads"), std::string::npos) << text;
}

}  // namespace
