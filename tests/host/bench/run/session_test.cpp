// A run is followed, interrupted, saved and published; an error becomes an exit code.
#include "bench/run/session.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/options/guarded.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/publish.hpp"
#include "tests/host/bench/sample_options.hpp"
#include "tests/host/bench/sample_tallies.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

// nohup and background jobs of a shell start with some signals ignored; tests raise these signals.
[[maybe_unused]] const bool as_in_the_foreground = [] {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
    return true;
}();

using bench::Count;
using bench::guarded;
using bench::Independent;
using bench::Options;
using bench::UsageError;
using sample_options::launches_of;
using sample_options::scaled_weakly;
using sample_tallies::tally_of;

constexpr bench::Law coin = {{1, 2}};
const bench::Estimand& coins = sample_tallies::estimand_of(coin);

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
    for (const auto code : {bench::exit_hung_up, bench::exit_interrupted, bench::exit_terminated}) {
        EXPECT_EQ(code_of([code] { throw bench::Interrupted(code); }, &line), code);
        EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    }
}

/// Launches of a million throws of a coin, with 500,000 +- 500 hits.
bench::Plan plan(const Options& options) {
    return {"pi_v0", options, {"pi", "v0", "Coin", "none", {}, {}}, sample_tallies::work_of(coin, 1'000'000), 1};
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

/// Launches of a million throws with half a million hits, plus `more`, plus or minus `sd` in turn.
bench::Tally tossed(std::uint64_t launches, std::int64_t more = 0, std::uint64_t sd = 500,
                    Independent independent = Independent::samples) {
    bench::Tally tally = tally_of({{1, 2}, independent}, 1'000'000);
    for (std::uint64_t k = 0; k < launches; k++) {
        const Count hits = 500'000 + static_cast<std::uint64_t>(more) + (k % 2 == 0 ? sd + k / 2 : -sd - k / 2);
        tally.add({&hits, 1});
    }
    return tally;
}

/// The end of a run that was interrupted after the launches in `tally`.
Ending interrupted(const Options& options, const bench::Tally& tally = tossed(12)) {
    Ending ending;
    testing::internal::CaptureStdout();
    ending.code = code_of([&] { bench::end_interrupted(plan(options), tally, tally.launches(), 3700); }, &ending.error);
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
    const Ending ending = interrupted(pooled(), tossed(12, 1'000));  // 12,000 too many, 1732 give or take
    EXPECT_EQ(ending.code, 1);
    EXPECT_EQ(ending.out, "");
    EXPECT_NE(ending.error.find("sd from the expectation"), std::string::npos) << ending.error;
}

TEST(Interrupted, WithoutALaunchThereIsNothingToTell) {
    const Ending ending = interrupted(pooled(), tossed(0));
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

TEST(Measure, RefusesTooFewLaunchesBeforeTheFirst) {
    const Options options = launches_of(15);
    bench::Tally tally = tossed(0, 0, 0, Independent::launches);
    bool launched = false;
    const auto time_batch = [&](std::uint64_t, unsigned) -> bench::BatchTime {
        launched = true;
        return {300};
    };
    EXPECT_THROW(bench::measure_with_progress(plan(options), tally, time_batch, [] {}), UsageError);
    EXPECT_FALSE(launched);
}

TEST(Interrupted, ASpreadOfFewLaunchesIsNoErrorEstimate) {
    const Ending ending = interrupted(pooled(), tossed(12, 8, 0, Independent::launches));
    EXPECT_EQ(ending.code, 130);
    EXPECT_NE(ending.out.find("too few launches for an error"), std::string::npos) << ending.out;
    EXPECT_EQ(ending.out.find("+-"), std::string::npos) << ending.out;
    EXPECT_EQ(interrupted(pooled(), tossed(12, 1'000, 0, Independent::launches)).code, 1) << "7 binomial sd off";
}

// Hits of +-50 to +-57 about the mean: the root mean square of a launch is 53.7, divided by the root of 16.
TEST(Interrupted, IsJudgedByTheSpreadOfEnoughLaunches) {
    const Ending ending = interrupted(pooled(), tossed(16, 100, 50, Independent::launches));
    EXPECT_EQ(ending.code, 130);
    EXPECT_NE(ending.out.find("2.000400000 +- 5.5e-05 (1 sd, as measured)"), std::string::npos) << ending.out;
    EXPECT_EQ(interrupted(pooled(), tossed(16, 120, 50, Independent::launches)).code, 1) << "8.7 sd";
    EXPECT_EQ(interrupted(pooled(), tossed(16, 120, 500, Independent::launches)).code, 130);
}

/// A run of a plan with this tally and this number of launches.
bench::Run run_of(const bench::Plan& plan, const bench::Tally& tally, std::uint64_t launches) {
    return {.subject = plan.subject,
            .tally = tally,
            .threads = 1,
            .launches = launches,
            .batch = 1,
            .kernel_ms = {},
            .phases_ms = {},
            .work = {},
            .warnings = {}};
}

/// The exit code and the line of publishing a finished run of the stopping rule, quietly.
std::pair<int, std::string> published(const bench::Tally& tally, std::uint64_t launches) {
    Options options;
    options.quiet = true;
    std::string line;
    const int code = code_of(
        [&] {
            const bench::Plan work = plan(options);
            bench::publish(work, {}, run_of(work, tally, launches));
        },
        &line);
    return {code, line};
}

// 16 launches have 8,000,000 +- 2000 hits.
TEST(Publish, JudgesWhatIsKnownByWhatIsKnown) {
    for (const auto independent : {Independent::samples, Independent::counts}) {
        EXPECT_EQ(published(tossed(16, 600, 500, independent), 16).first, 0);
        EXPECT_EQ(published(tossed(16, 650, 500, independent), 16).first, 1);
    }
}

TEST(Publish, JudgesPointSetsByTheirSpreadAndByTheBinomial) {
    EXPECT_EQ(published(tossed(16, 100, 50, Independent::launches), 16).first, 0);
    EXPECT_EQ(published(tossed(16, 120, 50, Independent::launches), 16).first, 1);
    EXPECT_EQ(published(tossed(16, 650, 500, Independent::launches), 16).first, 1);
}

// A launch is lost between the GPU and the sum.
TEST(Publish, RefusesCountsOfFewerLaunchesThanWereRun) {
    EXPECT_EQ(published(tossed(16), 16).first, 0);
    const auto [code, line] = published(tossed(16), 17);
    EXPECT_EQ(code, 1);
    EXPECT_EQ(line, "pi_v0: 16 of 17 launches were counted\n");
}

TEST(Publish, RefusesTooFewLaunchesWithinMaxTime) {
    const auto [code, line] = published(tossed(3, 0, 100, Independent::launches), 3);
    EXPECT_EQ(code, 2);
    EXPECT_EQ(line, "pi_v0: --max-time: 3 launches cannot be judged: an error estimate needs at least 16\n");
}

/// Measures launches of 300 ms, the first in the warm-up, and ends the program with the exit code. A signal arrives
/// during one of them, which still finishes.
[[noreturn]] void measure_and_exit(const Options& options, unsigned launch, int signal = SIGTERM) {
    unsigned launches = 0;
    std::exit(guarded("pi_v0", [&] {
        bench::catch_interrupts();
        bench::Tally tally = tally_of(coin, 1'000'000);
        const auto time_batch = [&](std::uint64_t, unsigned) -> bench::BatchTime {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            if (++launches == launch) {
                std::raise(signal);
            }
            const Count hits = launches == 1 ? 504'000 : 500'000;  // the warm-up's would fail the verdict
            tally.add({&hits, 1});
            return {300};
        };
        bench::measure_with_progress(plan(options), tally, time_batch, [] {});
    }));
}

TEST(InterruptedDeathTest, AnIgnoredSignalStaysIgnored) {
    const auto exit_after = [](std::initializer_list<int> raised) {
        std::signal(SIGHUP, SIG_IGN);
        bench::catch_interrupts();
        for (const int signal : raised) std::raise(signal);
        std::exit(bench::interrupted() ? bench::interrupt_code() : 0);
    };
    EXPECT_EXIT(exit_after({SIGHUP}), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(exit_after({SIGINT, SIGHUP}), testing::ExitedWithCode(130), "") << "not even as the second one";
    EXPECT_EXIT(exit_after({SIGINT, SIGTERM}), testing::KilledBySignal(SIGTERM), "");
}

TEST(InterruptedDeathTest, LaunchesOfTheWarmUpDoNotCount) {
    EXPECT_EXIT(measure_and_exit(pooled(), 1), testing::ExitedWithCode(143), "^pi_v0: interrupted, no result\n$");
}

TEST(InterruptedDeathTest, LaunchesDoneCount) {
    EXPECT_EXIT(measure_and_exit(pooled(), 3), testing::ExitedWithCode(143),
                "^pi_v0: interrupted after 2 of 3,700 launches, no result written\n$");
}

TEST(InterruptedDeathTest, TheExitCodeNamesTheSignal) {
    EXPECT_EXIT(measure_and_exit(pooled(), 3, SIGINT), testing::ExitedWithCode(130),
                "^pi_v0: interrupted after 2 of 3,700 launches, no result written\n$");
    EXPECT_EXIT(measure_and_exit({}, 3, SIGINT), testing::ExitedWithCode(130), "^pi_v0: interrupted, no result\n$");
}

TEST(InterruptedDeathTest, AfterTheLastLaunchThereIsStillNoResult) {
    Options options = pooled();
    options.launches = 2;
    EXPECT_EXIT(measure_and_exit(options, 3), testing::ExitedWithCode(143),
                "^pi_v0: interrupted after 2 of 2 launches, no result written\n$");
}

/// A signal arrives after the measurement and before anything is written.
[[noreturn]] void publish_and_exit() {
    std::exit(guarded("pi_v0", [] {
        bench::catch_interrupts();
        const Options options = pooled();
        std::raise(SIGTERM);
        bench::publish(plan(options), {}, run_of(plan(options), tossed(20), 20));
    }));
}

TEST(InterruptedDeathTest, NothingIsPublishedAfterASignal) {
    EXPECT_EXIT(publish_and_exit(), testing::ExitedWithCode(143),
                "^pi_v0: interrupted after 20 of 20 launches, no result written\n$");
}

/// Reads all of a stream and closes it.
std::string drained(int descriptor) {
    std::string text;
    std::array<char, 4096> part;
    for (ssize_t n; (n = read(descriptor, part.data(), part.size())) > 0;) {
        text.append(part.data(), static_cast<std::size_t>(n));
    }
    close(descriptor);
    return text;
}

/// Runs `body` in another process and returns how it ends. Its output goes through pipes, which have no limit on files.
Ending in_a_process(const std::function<void()>& body) {
    std::array<int, 2> out, error;
    EXPECT_EQ(pipe(out.data()), 0);
    EXPECT_EQ(pipe(error.data()), 0);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(error[1], STDERR_FILENO);
        const int code = guarded("pi_v0", body);
        std::fflush(nullptr);
        _exit(code);
    }
    close(out[1]);
    close(error[1]);
    Ending ending;
    ending.out = drained(out[0]);
    ending.error = drained(error[0]);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    ending.code = WEXITSTATUS(status);
    return ending;
}

constexpr std::uint64_t goal = 20;

/// Hits of launch number k; 500,000 +- 500 are expected.
Count coin_hits(std::uint64_t k) { return 499'200 + k * 373 % 1601; }

std::uint64_t coin_hits_of_first(std::uint64_t launches) {
    std::uint64_t hits = 0;
    for (std::uint64_t k = 0; k < launches; k++) hits += coin_hits(k);
    return hits;
}

/// Called before launch number k; `warm` after the warm-up.
using BeforeLaunch = std::function<void(std::uint64_t k, bool warm)>;

/// Runs with a checkpoint, of `goal` or another number of launches.
class Saved : public InAFolder {
 protected:
    Options options(std::uint64_t launches = goal) const {
        Options result;
        result.launches = launches;
        result.checkpoint_every = 1000;
        (exists() ? result.resume : result.checkpoint) = path;
        return result;
    }

    bool exists() const { return std::filesystem::exists(path); }

    bench::Checkpoint file() const { return bench::parse_checkpoint(path, contents_of(path)); }

    std::string line_of_interruption(std::uint64_t done) const {
        return "pi_v0: interrupted after " + std::to_string(done) + " of 20 launches, saved to " + path + "\n";
    }

    /// Begins a run, or continues the run in the file. Launches of the warm-up have too many hits.
    bench::Measurement run(Options work, bench::Tally& tally, const BeforeLaunch& before, unsigned gpus = 1) {
        auto resumed = bench::resume("pi_v0", work);
        const auto launches = bench::stopping_rule(work, coins, 1'000'000, gpus).launches.value_or(0);
        const bench::Checkpoint whole = {"pi_v0", "", false, 1234, {{"coins", 1}}, 1'000'000, launches, {}};
        saver = bench::saver_of(work, std::move(resumed), whole, tally.empty(), [](const std::string&) {});
        bench::Plan coin = plan(work);
        coin.saver = saver.get();
        coin.workers = gpus;
        bool warm = false;
        const auto time_batch = [&](std::uint64_t first, unsigned n) -> bench::BatchTime {
            for (std::uint64_t k = first; k < first + n; k++) {
                before(k, warm);
                const Count hits = warm ? hits_of(k) : 504'000;
                if (!warm || k != lost) tally.add({&hits, 1});
            }
            return {300.0 * n};
        };
        const auto m = bench::measure_with_progress(coin, tally, time_batch, [&] { warm = true; });
        resumed_from = bench::resumed_from(coin);
        return m;
    }

    /// The same in another process.
    Ending ending(const Options& work, const BeforeLaunch& before) {
        return in_a_process([&] {
            bench::catch_interrupts();
            bench::Tally tally = tally_of(coin, 1'000'000);
            run(work, tally, before);
        });
    }

    std::unique_ptr<bench::Saver> saver;
    std::optional<std::uint64_t> resumed_from;
    std::function<Count(std::uint64_t)> hits_of = coin_hits;
    std::optional<std::uint64_t> lost;  // a launch that is run and not counted
};

/// A signal during launch number `launch`.
BeforeLaunch signal_in(std::uint64_t launch, int signal = SIGTERM) {
    return [=](std::uint64_t k, bool warm) {
        if (warm && k == launch) std::raise(signal);
    };
}

const BeforeLaunch signal_in_warm_up = [](std::uint64_t, bool warm) {
    if (!warm) std::raise(SIGTERM);
};

TEST_F(Saved, AnInterruptedRunIsSavedAsFarAsItCame) {
    for (const auto& [signal, code] : {std::pair{SIGHUP, 129}, {SIGINT, 130}, {SIGTERM, 143}}) {
        const Ending ended = ending(options(), signal_in(4, signal));
        EXPECT_EQ(ended.code, code);
        EXPECT_EQ(ended.error, line_of_interruption(5));
        EXPECT_NE(ended.out.find("\n  pi "), std::string::npos) << ended.out;
        EXPECT_NE(ended.out.find("from 5,000,000 samples"), std::string::npos) << ended.out;
        EXPECT_EQ(ended.out.find("/ns"), std::string::npos) << ended.out;
        const bench::Checkpoint c = file();
        EXPECT_EQ(c.launches_done(), 5u);
        EXPECT_EQ(c.launches, goal);
        EXPECT_EQ(sample_tallies::hits_of(c.tally.sums), coin_hits_of_first(5));
        std::filesystem::remove(path);
    }
}

TEST_F(Saved, LaunchesOfTheWarmUpAreNot) {
    const Ending ended = ending(options(), signal_in_warm_up);
    EXPECT_EQ(ended.code, 143);
    EXPECT_EQ(ended.error, line_of_interruption(0));
    EXPECT_EQ(ended.out, "") << "there is no estimate yet";
    EXPECT_EQ(file().launches_done(), 0u);
}

TEST_F(Saved, WhatAnEarlierPartDidIsKeptThroughTheWarmUp) {
    ending(options(), signal_in(4));
    const Ending ended = ending(options(), signal_in_warm_up);
    EXPECT_EQ(ended.code, 143);
    EXPECT_EQ(ended.error, line_of_interruption(5));
    EXPECT_NE(ended.out.find("from 5,000,000 samples"), std::string::npos) << ended.out;
    EXPECT_EQ(file().launches_done(), 5u);
    EXPECT_EQ(sample_tallies::hits_of(file().tally.sums), coin_hits_of_first(5));
}

TEST_F(Saved, AResumedRunIsSavedWithBothParts) {
    ending(options(), signal_in(4));
    const Ending ended = ending(options(), signal_in(11, SIGINT));
    EXPECT_EQ(ended.code, 130);
    EXPECT_EQ(ended.error, line_of_interruption(12));
    EXPECT_NE(ended.out.find("from 12,000,000 samples"), std::string::npos) << ended.out;
    EXPECT_EQ(file().launches_done(), 12u);
    EXPECT_EQ(sample_tallies::hits_of(file().tally.sums), coin_hits_of_first(12));
}

TEST_F(Saved, AfterTheLastLaunchAllIs) {
    const Ending ended = ending(options(), signal_in(goal - 1));
    EXPECT_EQ(ended.code, 143);
    EXPECT_EQ(ended.error, line_of_interruption(goal));
    EXPECT_EQ(file().launches_done(), goal);
}

// More launches would dilute the fault until it passes.
TEST_F(Saved, WhatWasRefusedIsNotGoneOnWith) {
    hits_of = [](std::uint64_t k) -> Count { return k < 5 ? 504'000 : coin_hits(k); };
    EXPECT_EQ(ending(options(), signal_in(4)).code, 1);
    bool launched = false;
    const Ending resumed = ending(options(2'000), [&](std::uint64_t, bool) { launched = true; });
    EXPECT_EQ(resumed.code, 1);
    EXPECT_NE(resumed.error.find("sd from the expectation"), std::string::npos) << resumed.error;
    EXPECT_FALSE(launched);
}

// Otherwise the next part would begin with the launch before the one that is due, and count one twice.
TEST_F(Saved, ATallyWithoutALaunchIsNotSaved) {
    lost = 2;
    Options often = options();
    often.checkpoint_every = 1e-9;
    const Ending ended = ending(often, [](std::uint64_t, bool) {});
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(ended.error, "pi_v0: 2 of 3 launches were counted\n");
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(file().launches_done(), 2u) << "the launches before it";
}

TEST_F(Saved, OnAFullDiskTheEstimateIsStillTold) {
    const Ending ended = ending(options(), [](std::uint64_t k, bool warm) {
        static std::unique_ptr<NoRoom> no_room;
        if (warm && k == 4) {
            no_room = std::make_unique<NoRoom>();
            std::raise(SIGTERM);
        }
    });
    EXPECT_EQ(ended.code, 5);
    EXPECT_NE(ended.out.find("from 5,000,000 samples"), std::string::npos) << ended.out;
    EXPECT_EQ(ended.error.find("pi_v0: interrupted"), 0u) << ended.error;
    EXPECT_NE(ended.error.find("cannot write " + path), std::string::npos) << ended.error;
    EXPECT_EQ(ended.error.find("saved to"), std::string::npos) << ended.error;
    EXPECT_EQ(ended.error.find('\n'), ended.error.size() - 1) << ended.error;
    EXPECT_EQ(file().launches_done(), 0u) << "the old file is whole";
}

// The last save fails, then a signal arrives before the result is written.
TEST_F(Saved, WhatIsNotSavedIsNotSaidToBe) {
    const Ending ended = in_a_process([&] {
        bench::catch_interrupts();
        std::unique_ptr<NoRoom> no_room;
        bench::Tally tally = tally_of(coin, 1'000'000);
        run(options(), tally, [&](std::uint64_t k, bool warm) {
            if (warm && k == goal - 1) no_room = std::make_unique<NoRoom>();
        });
        std::raise(SIGTERM);
        const Options work = options();
        bench::Plan coin = plan(work);
        coin.saver = saver.get();
        bench::publish(coin, {}, run_of(coin, tally, goal));
    });
    EXPECT_EQ(file().launches_done(), 0u);
    EXPECT_EQ(ended.error.find("saved to"), std::string::npos) << ended.error;
    EXPECT_NE(ended.error.find("cannot write " + path), std::string::npos) << ended.error;
    EXPECT_EQ(ended.code, 5);
}

TEST_F(Saved, OnADiskThatIsFullForAWhileTheRunGoesOn) {
    Options often = options();
    often.checkpoint_every = 1e-9;
    const Ending ended = ending(often, [](std::uint64_t k, bool warm) {
        static std::unique_ptr<NoRoom> no_room;
        if (warm && k == 4) no_room = std::make_unique<NoRoom>();
        if (warm && k == 7) no_room.reset();
    });
    EXPECT_EQ(ended.code, 0) << ended.error;
    EXPECT_EQ(file().launches_done(), goal);
}

TEST_F(Saved, AResumedRunBeginsWhereTheOtherEnded) {
    ending(options(), signal_in(4));
    bench::Tally tally = tally_of(coin, 1'000'000);
    std::vector<std::uint64_t> launches;
    const auto m = run(options(), tally, [&](std::uint64_t k, bool warm) {
        if (warm) launches.push_back(k);
    });
    std::vector<std::uint64_t> rest(goal - 5);
    std::iota(rest.begin(), rest.end(), 5);
    EXPECT_EQ(launches, rest);
    EXPECT_EQ(m.launches, goal - 5) << "of this part";
    EXPECT_EQ(m.ms.size(), goal - 5);
    EXPECT_EQ(tally.launches(), goal) << "of both";
    EXPECT_EQ(sample_tallies::hits_of(tally.state().sums), coin_hits_of_first(goal));
    EXPECT_EQ(resumed_from, 5u);
    EXPECT_EQ(file().launches_done(), goal);
    EXPECT_EQ(sample_tallies::hits_of(file().tally.sums), coin_hits_of_first(goal));
}

TEST_F(Saved, ARunThatIsNotResumedHasNoEarlierPart) {
    bench::Tally tally = tally_of(coin, 1'000'000);
    run(options(), tally, [](std::uint64_t, bool) {});
    EXPECT_EQ(resumed_from, std::nullopt);
    EXPECT_EQ(file().launches_done(), goal);
    EXPECT_EQ(bench::resumed_from(plan(options())), std::nullopt) << "without a checkpoint";
}

TEST_F(Saved, WhereNothingIsLeftNoLaunchIsRun) {
    bench::Tally before = tally_of(coin, 1'000'000), tally = tally_of(coin, 1'000'000);
    run(options(), before, [](std::uint64_t, bool) {});
    saver.reset();
    bool launched = false;
    const auto m = run(options(), tally, [&](std::uint64_t, bool) { launched = true; });
    EXPECT_FALSE(launched);
    EXPECT_TRUE(m.ms.empty());
    EXPECT_EQ(m.launches, 0u);
    EXPECT_EQ(tally.launches(), goal);
    EXPECT_EQ(sample_tallies::hits_of(tally.state().sums), coin_hits_of_first(goal));
    EXPECT_EQ(resumed_from, goal);
    const Options pooled = options();
    EXPECT_TRUE(bench::warnings_of(plan(pooled), m, tally).empty()) << "no interval is no wonder";
}

TEST_F(Saved, ToANewGoalOnlyTheRestIsRun) {
    bench::Tally before = tally_of(coin, 1'000'000), tally = tally_of(coin, 1'000'000);
    run(options(), before, [](std::uint64_t, bool) {});
    saver.reset();
    const auto m = run(options(goal + 3), tally, [](std::uint64_t, bool) {});
    EXPECT_EQ(m.launches, 3u);
    EXPECT_EQ(sample_tallies::hits_of(tally.state().sums), coin_hits_of_first(goal + 3));
    EXPECT_EQ(file().launches, goal + 3);
}

TEST_F(Saved, AWeakGoalIsThatOfAllGpus) {
    bench::Tally tally = tally_of(coin, 1'000'000);
    const auto m = run(
        scaled_weakly(options()), tally, [](std::uint64_t, bool) {}, 2);
    EXPECT_EQ(m.launches, 2 * goal);
    EXPECT_EQ(file().launches, 2 * goal);
    EXPECT_EQ(file().launches_done(), 2 * goal);
}

// --resume FILE --batch 4 --scaling weak: the batch counts per GPU; the goal in the file does not.
TEST_F(Saved, TheGoalInTheFileIsThatOfAllGpusAlready) {
    bench::Tally before = tally_of(coin, 1'000'000), tally = tally_of(coin, 1'000'000);
    run(options(), before, [](std::uint64_t, bool) {});
    saver.reset();
    Options resuming = scaled_weakly({});
    resuming.resume = path;
    resuming.batch = 4;
    const auto m = run(
        resuming, tally, [](std::uint64_t, bool) {}, 2);
    EXPECT_EQ(m.launches, 0u) << "all is done";
    EXPECT_EQ(saver->start().launches, goal);
}

TEST_F(Saved, AFileIsWholeAfterEveryTimingWhereItIsAlwaysDue) {
    Options often = options();
    often.checkpoint_every = 1e-9;
    bench::Tally tally = tally_of(coin, 1'000'000);
    run(often, tally, [&](std::uint64_t k, bool warm) {
        if (!warm) return;
        EXPECT_EQ(file().launches_done(), k);
        EXPECT_EQ(sample_tallies::hits_of(file().tally.sums), coin_hits_of_first(k));
    });
}

// A run that an earlier part finished has an estimate but no rate.
TEST(Publish, TellsTheEstimateWhereNothingWasTimed) {
    const Options options = launches_of(16);
    bench::Run run = run_of(plan(options), tossed(16), 16);
    run.occasion = bench::Occasion::pooled;
    run.cpu = bench::CpuSide{4096, "x86-64-v4"};
    run.resumed_from = 16;
    testing::internal::CaptureStdout();
    std::string error;
    EXPECT_EQ(code_of([&] { bench::publish(plan(options), {}, run); }, &error), 0);
    const std::string out = testing::internal::GetCapturedStdout();
    EXPECT_EQ(error, "");
    EXPECT_NE(out.find("from 16,000,000 samples"), std::string::npos) << out;
    EXPECT_EQ(out.find("/ns"), std::string::npos) << out;
}

}  // namespace
