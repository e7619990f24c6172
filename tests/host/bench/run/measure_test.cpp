// A measurement is followed, interrupted, saved and continued.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/run/plan.hpp"
#include "tests/host/bench/run/sample_plan.hpp"
#include "tests/host/bench/sample_options.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Count;
using bench::Options;
using sample_options::launches_of;
using sample_options::scaled_weakly;
using sample_plan::Ending;
using sample_plan::in_a_process;

constexpr std::uint64_t goal = 20;
constexpr Count of_warm_up = 504'000;  // hits that would fail the verdict

/// Hits of launch number k; 500,000 +- 500 are expected.
Count hits_of(std::uint64_t k) { return 499'200 + k * 373 % 1601; }

std::uint64_t hits_of_first(std::uint64_t launches) {
    std::uint64_t hits = 0;
    for (std::uint64_t k = 0; k < launches; k++) hits += hits_of(k);
    return hits;
}

/// Called before launch number k; `warm` after the warm-up.
using BeforeLaunch = std::function<void(std::uint64_t k, bool warm)>;

const BeforeLaunch nothing = [](std::uint64_t, bool) {};

/// A signal during launch number `launch`, which still finishes; or during the first one of the warm-up.
BeforeLaunch signal_in(std::optional<std::uint64_t> launch, int signal = SIGTERM) {
    return [=](std::uint64_t k, bool warm) {
        if (warm ? k == launch : !launch) std::raise(signal);
    };
}

sample_plan::Tossing::HitsOf tosses(const BeforeLaunch& before) {
    return [before](std::uint64_t k, bool warm) {
        before(k, warm);
        return std::vector{warm ? hits_of(k) : of_warm_up};
    };
}

/// The same with a warm-up of one launch, and timings of one.
Options without_warm_up(Options options) {
    options.max_time = 1e-9;
    options.batch = 1;
    return options;
}

/// Runs without a checkpoint. A signal arrives in a launch.
Ending interrupted_in(const Options& options, std::optional<std::uint64_t> launch) {
    return in_a_process([&] {
        bench::catch_interrupts();
        const bench::Plan plan = sample_plan::plan_of(options);
        auto team = sample_plan::team_of(tosses(signal_in(launch, SIGINT)));
        bench::Tally tally = sample_plan::no_launches();
        bench::measure(plan, team, tally, nullptr);
    });
}

TEST(Measuring, ThatIsInterruptedCountsTheLaunchesDoneWithoutThoseOfTheWarmUp) {
    const struct {
        Options options;
        std::optional<std::uint64_t> launch;
        const char* line;
    } table[] = {
        {launches_of(3'700), {}, "pi_v0: interrupted, no result\n"},
        {launches_of(3'700), 1, "pi_v0: interrupted after 2 of 3,700 launches, no result written\n"},
        {launches_of(2), 1, "pi_v0: interrupted after 2 of 2 launches, no result written\n"},
        {{}, 1, "pi_v0: interrupted, no result\n"},
    };
    for (const auto& [options, launch, line] : table) {
        const Ending ending = interrupted_in(options.pooled() ? without_warm_up(options) : options, launch);
        EXPECT_EQ(ending.code, 130);
        EXPECT_EQ(ending.error, line);
    }
}

TEST(Measuring, OfTooFewLaunchesIsRefusedBeforeTheFirst) {
    auto team = sample_plan::team_of(tosses([](std::uint64_t, bool) { ADD_FAILURE() << "launched"; }));
    bench::Tally tally = sample_plan::no_launches(bench::Independent::launches);
    EXPECT_THROW(bench::measure(sample_plan::plan_of(launches_of(15)), team, tally, nullptr), bench::UsageError);
}

/// Runs with a checkpoint, of `goal` or another number of launches.
class Saved : public InAFolder {
 protected:
    Options options(std::uint64_t launches = goal) const {
        Options result = without_warm_up(launches_of(launches));
        result.checkpoint_every = 1000;
        (std::filesystem::exists(path) ? result.resume : result.checkpoint) = path;
        return result;
    }

    bench::Stored file() const { return bench::read_stored(path, contents_of(path)); }

    void expect_saved(std::uint64_t launches) const {
        EXPECT_EQ(file().launches_done(), launches);
        EXPECT_EQ(launches > 0 ? sample_tallies::hits_of(file().tally.sums) : 0, hits_of_first(launches));
    }

    /// Begins a run, or continues the run in the file.
    bench::Record run(const Options& options, const sample_plan::Tossing::HitsOf& hits, unsigned workers = 1) {
        saver.reset();  // lets go of the file
        plan = sample_plan::plan_of(options);
        plan->resumed = bench::resume(plan->program, plan->options);
        plan->workers = workers;
        bench::Tally tally = sample_plan::no_launches();
        saver = bench::saver_of(*plan, tally);
        auto team = sample_plan::team_of(hits);
        const auto measured = bench::measure(*plan, team, tally, saver.get());
        return bench::record_of(*plan, team, measured, tally, saver.get());
    }
    bench::Record run(const Options& options, const BeforeLaunch& before = nothing, unsigned workers = 1) {
        return run(options, tosses(before), workers);
    }

    /// The same in another process.
    Ending ending(const Options& options, const sample_plan::Tossing::HitsOf& hits) {
        return in_a_process([&] {
            bench::catch_interrupts();
            run(options, hits);
        });
    }
    Ending ending(const Options& options, const BeforeLaunch& before) { return ending(options, tosses(before)); }

    std::optional<bench::Plan> plan;
    std::unique_ptr<bench::Saver> saver;
};

// A run is interrupted, continued, interrupted in its warm-up, continued, and interrupted in its last launch.
TEST_F(Saved, AnInterruptedRunIsSavedAsFarAsItsPartsCame) {
    const struct {
        std::optional<std::uint64_t> launch;
        int signal, code;
        std::uint64_t done;
        const char* told;
    } parts[] = {{{}, SIGTERM, 143, 0, ""},
                 {4, SIGHUP, 129, 5, "from 5,000,000 samples"},
                 {{}, SIGTERM, 143, 5, "from 5,000,000 samples"},
                 {11, SIGINT, 130, 12, "from 12,000,000 samples"},
                 {goal - 1, SIGTERM, 143, goal, "from 20,000,000 samples"}};
    for (const auto& [launch, signal, code, done, told] : parts) {
        SCOPED_TRACE(done);
        const Ending ended = ending(options(), signal_in(launch, signal));
        EXPECT_EQ(ended.code, code);
        const std::string line =
            "pi_v0: interrupted after " + std::to_string(done) + " of 20 launches, saved to " + path;
        EXPECT_TRUE(ended.error.ends_with(line + "\n")) << ended.error;  // after the warning about a modified checkout
        EXPECT_EQ(ended.out.empty(), done == 0) << "there is no estimate yet";
        EXPECT_NE(ended.out.find(told), std::string::npos) << ended.out;
        EXPECT_EQ(ended.out.find("/ns"), std::string::npos) << ended.out;
        expect_saved(done);
        EXPECT_EQ(file().goal, goal);
    }
}

TEST_F(Saved, AResumedRunBeginsWhereTheOtherEnded) {
    ending(options(), signal_in(4));
    std::vector<std::uint64_t> launches;
    const bench::Record record = run(options(), [&](std::uint64_t k, bool warm) {
        if (warm) launches.push_back(k);
    });
    std::vector<std::uint64_t> rest(goal - 5);
    std::iota(rest.begin(), rest.end(), 5);
    EXPECT_EQ(launches, rest);
    EXPECT_EQ(record.measured.launches, goal - 5) << "of this part";
    EXPECT_EQ(record.launches, goal) << "of both";
    EXPECT_EQ(record.resumed_from, 5u);
    EXPECT_EQ(sample_tallies::hits_of(record.tally.state().sums), hits_of_first(goal));
    expect_saved(goal);
}

// --resume FILE --batch 4 --scaling weak: the batch counts per worker; the goal in the file does not.
TEST_F(Saved, OfAFinishedRunOnlyWhatANewGoalAddsIsRun) {
    EXPECT_EQ(run(options()).resumed_from, std::nullopt) << "it has no earlier part";
    Options weak = scaled_weakly(options());
    weak.launches.reset();
    weak.batch = 4;
    for (const Options& resuming : {options(), weak}) {
        const bench::Record record = run(
            resuming, [](std::uint64_t, bool) { ADD_FAILURE() << "launched"; }, 2);
        EXPECT_TRUE(record.measured.ms.empty());
        EXPECT_EQ(record.resumed_from, goal);
        EXPECT_EQ(sample_tallies::hits_of(record.tally.state().sums), hits_of_first(goal));
        EXPECT_EQ(record.measured.progress, bench::Progress::done);
        EXPECT_TRUE(record.warnings.empty()) << "no interval is no wonder";
    }
    EXPECT_EQ(run(options(goal + 3)).measured.launches, 3u);
    EXPECT_EQ(file().goal, goal + 3);
    expect_saved(goal + 3);
}

TEST_F(Saved, AWeakGoalIsThatOfAllWorkers) {
    EXPECT_EQ(run(scaled_weakly(options()), nothing, 2).launches, 2 * goal);
    EXPECT_EQ(file().goal, 2 * goal);
    expect_saved(2 * goal);
}

// More launches would dilute the fault until it passes.
TEST_F(Saved, WhatWasRefusedIsNotGoneOnWith) {
    const auto wrong = [](std::uint64_t k, bool warm) {
        signal_in(4)(k, warm);
        return std::vector<Count>{504'000};
    };
    EXPECT_EQ(ending(options(), sample_plan::Tossing::HitsOf(wrong)).code, 1);
    const Ending resumed = ending(options(2'000), [&](std::uint64_t, bool) { throw std::logic_error("launched"); });
    EXPECT_EQ(resumed.code, 1);
    EXPECT_NE(resumed.error.find("sd from the expectation"), std::string::npos) << resumed.error;
}

Options often(Options options) {
    options.checkpoint_every = 1e-9;
    return options;
}

// Otherwise the next part would begin with the launch before the one that is due, and count one twice.
TEST_F(Saved, ATallyWithoutALaunchIsNotSaved) {
    const auto losing = [](std::uint64_t k, bool warm) {
        return warm && k == 2 ? std::vector<Count>() : std::vector{hits_of(k)};
    };
    const Ending ended = ending(often(options()), sample_plan::Tossing::HitsOf(losing));
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(ended.error, "pi_v0: 2 of 3 launches were counted\n");
    EXPECT_EQ(ended.out, "");
    expect_saved(2);
}

TEST_F(Saved, AFileIsWholeAfterEveryTimingWhereItIsAlwaysDue) {
    run(often(options()), [&](std::uint64_t k, bool warm) {
        if (warm) expect_saved(k);
    });
}

/// Fills the disk in launch number `launch`.
BeforeLaunch full_disk_in(std::uint64_t launch) {
    return [=](std::uint64_t k, bool warm) {
        static std::unique_ptr<NoRoom> no_room;
        if (warm && k == launch) no_room = std::make_unique<NoRoom>();
    };
}

TEST_F(Saved, OnAFullDiskTheEstimateIsStillToldAndNothingIsSaidToBeSaved) {
    const Ending in_a_launch = ending(options(), [](std::uint64_t k, bool warm) {
        full_disk_in(4)(k, warm);
        signal_in(4)(k, warm);
    });
    EXPECT_NE(in_a_launch.out.find("from 5,000,000 samples"), std::string::npos) << in_a_launch.out;
    std::filesystem::remove(path);
    const Ending after_the_last_save = in_a_process([&] {
        bench::catch_interrupts();
        const bench::Record record = run(options(), full_disk_in(goal - 1));
        std::raise(SIGTERM);
        bench::judge(*plan, record, saver.get());
    });
    for (const Ending& ended : {in_a_launch, after_the_last_save}) {
        EXPECT_EQ(ended.code, 5);
        EXPECT_EQ(ended.error.find("pi_v0: interrupted, and cannot write " + path), 0u) << ended.error;
        EXPECT_EQ(ended.error.find('\n'), ended.error.size() - 1) << ended.error;
        expect_saved(0);  // the old file is whole
    }
}

}  // namespace
