// The verdict on a run, also on one that a signal ends early, and on the sum of stored runs.
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "bench/options/interrupt.hpp"
#include "bench/run/plan.hpp"
#include "tests/host/bench/run/sample_plan.hpp"
#include "tests/host/bench/sample_options.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Independent;
using bench::Options;
using sample_options::launches_of;
using sample_plan::Ending;
using sample_plan::plan_of;
using sample_plan::tossed;

/// The end of a run of 3700 launches that was interrupted after the launches in `tally`.
Ending interrupted(const Options& options, const bench::Tally& tally = tossed(12)) {
    return sample_plan::in_a_process(
        [&] { bench::end_interrupted(plan_of(options), tally, tally.launches(), 3700, nullptr); });
}

constexpr const char* line_of_12 = "pi_v0: interrupted after 12 of 3,700 launches, no result written\n";
constexpr const char* line_of_none = "pi_v0: interrupted, no result\n";

TEST(Interrupted, APooledRunTellsWhatItReachedAndLeavesStdoutToJson) {
    Options options = launches_of(3700);
    const Ending ending = interrupted(options);
    EXPECT_EQ(ending.code, 130);
    EXPECT_EQ(ending.error, line_of_12);
    EXPECT_NE(ending.out.find("2.000000000 +- 0.00058"), std::string::npos) << ending.out;  // 2 / sqrt(12,000,000)
    EXPECT_EQ(ending.out.find("/ns"), std::string::npos) << ending.out;
    options.json = "-";
    EXPECT_EQ(interrupted(options).out, "");
    EXPECT_EQ(interrupted(options).error, ending.out + line_of_12);
    options.quiet = true;
    EXPECT_EQ(interrupted(options).out, "");
    EXPECT_EQ(interrupted(options).error, line_of_12);
}

TEST(Interrupted, IsJudgedFirst) {
    const Ending ending = interrupted(launches_of(3700), tossed(12, 1'000));  // 12,000 too many, 1732 give or take
    EXPECT_EQ(ending.code, 1);
    EXPECT_EQ(ending.out, "");
    EXPECT_NE(ending.error.find("sd from the expectation"), std::string::npos) << ending.error;
}

TEST(Interrupted, WithoutALaunchAndByTheStoppingRuleThereIsNothingToTell) {
    for (const Ending& ending : {interrupted(launches_of(3700), tossed(0)), interrupted({})}) {
        EXPECT_EQ(ending.code, 130);
        EXPECT_EQ(ending.out, "");
        EXPECT_EQ(ending.error, line_of_none);
    }
}

TEST(Interrupted, ASpreadOfFewLaunchesIsNoErrorEstimate) {
    const Ending ending = interrupted(launches_of(3700), tossed(12, 8, 0, Independent::launches));
    EXPECT_EQ(ending.code, 130);
    EXPECT_NE(ending.out.find("too few launches for an error"), std::string::npos) << ending.out;
    EXPECT_EQ(ending.out.find("+-"), std::string::npos) << ending.out;
}

/// A record of so many launches by the stopping rule.
bench::Record record_of(const bench::Plan& plan, const bench::Tally& tally, std::uint64_t launches) {
    auto team = sample_plan::team_of({});
    bench::Measurement measured;
    measured.launches = launches;
    return bench::record_of(plan, team, measured, tally, nullptr);
}

/// The line of the error of judging such a record.
template <class Exception>
std::string refused(const bench::Tally& tally, std::uint64_t launches) {
    const bench::Plan plan = plan_of({});
    return line_of<Exception>([&] { bench::judge(plan, record_of(plan, tally, launches), nullptr); });
}

TEST(JudgeRun, RefusesCountsOfFewerLaunchesThanWereRunAndTooFewWithinMaxTime) {
    const bench::Plan plan = plan_of({});
    EXPECT_NO_THROW(bench::judge(plan, record_of(plan, tossed(16), 16), nullptr));
    EXPECT_EQ(refused<bench::VerdictError>(tossed(16), 17), "16 of 17 launches were counted");
    EXPECT_EQ(refused<bench::UsageError>(tossed(3, 0, 100, Independent::launches), 3),
              "--max-time: 3 launches cannot be judged: an error estimate needs at least 16");
    EXPECT_NE(refused<bench::VerdictError>(tossed(16, 650), 16).find("sd from the expectation"), std::string::npos);
}

// It arrives after the measurement and before anything is written.
TEST(JudgeRun, AfterASignalThereIsNoResult) {
    const Ending ending = sample_plan::in_a_process([] {
        bench::catch_interrupts();
        std::raise(SIGTERM);
        const bench::Plan plan = plan_of(launches_of(20));
        bench::judge(plan, record_of(plan, tossed(20), 20), nullptr);
    });
    EXPECT_EQ(ending.code, 143);
    EXPECT_EQ(ending.error, "pi_v0: interrupted after 20 of 20 launches, no result written\n");
}

/// The stored run of these launches, from `first` on.
bench::Stored stored(const std::string& name, std::uint64_t first, const bench::Tally& tally) {
    bench::Record run = bench::record_so_far(plan_of(launches_of(20)), tally, nullptr, tally.launches());
    run.ranges = {{first, first + tally.launches()}};
    return bench::read_stored(name, to_stored(run));
}

/// What the verdict on the sum of two stored runs says.
std::string said_of(const bench::Stored& a, const bench::Stored& b) {
    static const bench::Tally none = sample_plan::no_launches();
    const Ending ending = sample_plan::in_a_process([&] {
        bench::Plan plan = plan_of({});
        plan.step.estimand = {std::shared_ptr<void>(), &none.estimand()};
        plan.judged = {a, b};
        bench::judge_stored(plan);
    });
    return std::to_string(ending.code) + " " + ending.error;
}

TEST(JudgeStored, ASumPassesOnlyIfItsLaunchesAreOthersEach) {
    const bench::Tally one = tossed(20), other = tossed(20, 0, 600);
    const bench::Stored a = stored("a", 0, one);
    EXPECT_EQ(said_of(a, stored("b", 20, other)).substr(0, 2), "0 ");
    EXPECT_NE(said_of(a, stored("b", 20, one)).find("1 pi_v0: 20 of 40 launches published the same"),
              std::string::npos);
    EXPECT_EQ(said_of(a, stored("b", 19, other)), "2 pi_v0: b: launch 19 is in a too\n");
}

}  // namespace
