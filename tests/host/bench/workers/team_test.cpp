// Workers share launches; their counts, times and errors come together.
#include "bench/workers/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/whole_numbers.hpp"
#include "bench/workers/host_facts.hpp"
#include "bench/workers/ranks.hpp"
#include "bench/workers/threads.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::BatchTime;
using bench::Count;
using bench::launches_side_by_side;
using bench::Share;
using bench::shares_by_speed;
using bench::Tally;
using bench::Team;
using sample_tallies::tally_of;

using Shares = std::vector<unsigned>;
using Speeds = std::vector<double>;

/// Speeds of which no two are equal.
const std::vector<Speeds> unlike = {{1, 2},     {1, 1.3, 3.7},          {10, 1, 0.9},
                                    {0.3, 0.7}, {5, 1, 1, 1},           {1, 1.1, 1.2, 4},
                                    {100, 1},   {1e-3, 2.2e-3, 1.7e-3}, {7.1e5, 3e5, 1e5}};

unsigned sum(const Shares& shares) { return std::accumulate(shares.begin(), shares.end(), 0u); }

/// Time until workers of these speeds have done their shares.
double makespan(const Shares& shares, const Speeds& speeds) {
    double longest = 0;
    for (std::size_t i = 0; i < shares.size(); i++) {
        longest = std::max(longest, shares[i] / speeds[i]);
    }
    return longest;
}

/// The shortest time over all ways to split the launches.
double shortest_makespan(unsigned launches, const Speeds& speeds, Shares& shares) {
    if (shares.size() + 1 == speeds.size()) {
        shares.push_back(launches);
        const double time = makespan(shares, speeds);
        shares.pop_back();
        return time;
    }
    double shortest = std::numeric_limits<double>::infinity();
    for (unsigned share = 0; share <= launches; share++) {
        shares.push_back(share);
        shortest = std::min(shortest, shortest_makespan(launches - share, speeds, shares));
        shares.pop_back();
    }
    return shortest;
}

double shortest_makespan(unsigned launches, const Speeds& speeds) {
    Shares none;
    return shortest_makespan(launches, speeds, none);
}

TEST(SharesBySpeed, AreAllLaunches) {
    std::vector<Speeds> all = unlike;
    all.insert(all.end(), {{1}, {3, 3}, {1, 0.97, 0.99}, Speeds(49, 1.0 / 3), Speeds(200, 7)});
    for (const Speeds& speeds : all) {
        for (unsigned launches = 0; launches <= 300; launches++) {
            const Shares shares = shares_by_speed(launches, speeds);
            ASSERT_EQ(shares.size(), speeds.size());
            ASSERT_EQ(sum(shares), launches) << speeds.size() << " workers";
        }
        EXPECT_EQ(sum(shares_by_speed(4'000'000'000, speeds)), 4'000'000'000);
    }
}

TEST(SharesBySpeed, AreProportional) {
    EXPECT_EQ(shares_by_speed(80, Speeds{1, 2, 5}), (Shares{10, 20, 50}));
    EXPECT_EQ(shares_by_speed(80, Speeds{2e-3, 1e-3, 5e-3}), (Shares{20, 10, 50}));
    EXPECT_EQ(shares_by_speed(1100, Speeds{1, 10}), (Shares{100, 1000}));
}

// Two timings of the same GPU differ by a few percent.
TEST(SharesBySpeed, AreEqualWhereSpeedsAreWithinFivePercent) {
    EXPECT_EQ(shares_by_speed(400, Speeds{1, 0.96, 1, 0.951}), (Shares{100, 100, 100, 100}));
    EXPECT_EQ(shares_by_speed(400, Speeds{0.951, 1}), (Shares{200, 200}));
    for (unsigned launches = 0; launches <= 50; launches++) {
        const Shares shares = shares_by_speed(launches, Speeds{97, 100, 96, 99});
        const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
        EXPECT_LE(*most - *least, 1u) << launches << " launches";
    }
    // Within 5 % of each other, but not of the fastest.
    const Shares shares = shares_by_speed(1000, Speeds{1, 0.96, 0.93});
    EXPECT_GT(shares[0], shares[1]);
    EXPECT_GT(shares[1], shares[2]);
    EXPECT_EQ(shares_by_speed(193, Speeds{1, 0.93}), (Shares{100, 93}));
}

TEST(SharesBySpeed, AreDoneSoonerByNoOtherCut) {
    for (const Speeds& speeds : unlike) {
        for (unsigned launches = 1; launches <= 13; launches++) {
            const double shortest = shortest_makespan(launches, speeds);
            EXPECT_NEAR(makespan(shares_by_speed(launches, speeds), speeds) / shortest, 1, 1e-12)
                << launches << " launches, " << speeds.size() << " workers, the first of speed " << speeds[0];
        }
    }
}

TEST(SideBySide, IsOneAWorkerWhereTheyAreEquallyFast) {
    for (const unsigned most : {0u, 1u, 4u, 256u}) {
        EXPECT_EQ(launches_side_by_side(Speeds{1, 1, 1}, most), 3u);
        EXPECT_EQ(launches_side_by_side(Speeds{1, 0.96, 0.98, 0.951}, most), 4u);
        EXPECT_EQ(launches_side_by_side(Speeds{5}, most), 1u);
    }
}

TEST(SideBySide, IsAsManyAsEndTogether) {
    EXPECT_EQ(launches_side_by_side(Speeds{1, 2}, 256), 3u);
    EXPECT_EQ(launches_side_by_side(Speeds{2, 5, 3}, 256), 10u);
    EXPECT_EQ(launches_side_by_side(Speeds{1, 100}, 256), 2u) << "without the slow one 99 % are busy";
}

/// Fraction of the time for which the workers are busy with the best split of the launches.
double busy(unsigned launches, const Speeds& speeds) {
    return launches / shortest_makespan(launches, speeds) / std::accumulate(speeds.begin(), speeds.end(), 0.0);
}

TEST(SideBySide, IsTheFewestThatKeepAllBusyOrTheBest) {
    for (const Speeds& speeds : unlike) {
        const auto size = static_cast<unsigned>(speeds.size());
        for (unsigned most = 0; most <= 18; most++) {
            const unsigned n = launches_side_by_side(speeds, most);
            EXPECT_GE(n, size);
            EXPECT_LE(n, std::max(most, size));
            for (unsigned other = size; other < n; other++) {
                EXPECT_LT(busy(other, speeds), 0.98 + 1e-12) << other << " are enough, not " << n;
            }
            if (busy(n, speeds) < 0.98 - 1e-12) {
                for (unsigned other = size; other <= most; other++) {
                    EXPECT_LE(busy(other, speeds), busy(n, speeds) + 1e-12) << other << " are better than " << n;
                }
            }
        }
    }
}

constexpr std::uint64_t samples_per_launch = 1'000'000;
constexpr bench::Law coin = {{1, 2}};

/// Made-up hits of launch number k.
Count hits_of(std::uint64_t k) { return 500'000 + k * k % 997; }

/// The shares that workers of a team ran.
struct Log {
    std::mutex mutex;
    std::vector<std::pair<int, Share>> shares = {};  // by whom, in the order in which they came

    void add(int worker, const Share& share) {
        const std::lock_guard lock(mutex);
        shares.emplace_back(worker, share);
    }
    /// The launches that were run, in order.
    std::vector<std::uint64_t> launches() const {
        std::vector<std::uint64_t> all;
        for (const auto& [worker, share] : shares) {
            for (unsigned i = 0; i < share.launches; i++) all.push_back(share.first + i);
        }
        std::sort(all.begin(), all.end());
        return all;
    }
};

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t end) {
    std::vector<std::uint64_t> all(end - first);
    std::iota(all.begin(), all.end(), first);
    return all;
}

/// The properties of a made-up worker.
struct Nature {
    std::vector<double> ms = {1};  // of a launch, by runs: the last of them from then on
    double setup_ms = 0;           // part of that
    std::optional<int> device = {};
    std::optional<double> max_clock_mhz = {};
    std::optional<double> power_w = {};
    std::function<void()> at_get_ready = [] {};
    std::function<void()> at_run = [] {};
};

class MadeUp : public bench::Worker {
 public:
    MadeUp(int number, Nature nature, Log& log) : number_(number), nature_(std::move(nature)), log_(log) {}

    bench::WorkerFacts facts() const override { return {"made up", nature_.device, nature_.max_clock_mhz}; }
    void get_ready(unsigned launches) override {
        nature_.at_get_ready();
        ready_for_ = launches;
        ready_on_ = std::this_thread::get_id();
    }
    BatchTime run(const Share& share, Tally& tally) override {
        nature_.at_run();
        EXPECT_EQ(ready_for_, share.launches);
        EXPECT_EQ(ready_on_, std::this_thread::get_id());
        log_.add(number_, share);
        for (unsigned i = 0; i < share.launches; i++) {
            const Count hits = hits_of(share.first + i);
            tally.add({&hits, 1});
        }
        const double ms = nature_.ms[std::min(runs_++, nature_.ms.size() - 1)];
        clocks_++;
        return {ms * share.launches, {nature_.setup_ms * share.launches}};
    }
    void discard_clocks() override { clocks_ = 0; }
    std::optional<double> clock_mhz() const override {  // 1001 of one clock, 1002 of two, nothing of none
        return clocks_ > 0 ? std::optional<double>(1000 + clocks_) : std::nullopt;
    }
    std::optional<double> power_w(double launch_ms) override {
        return nature_.power_w ? std::optional(*nature_.power_w + launch_ms) : std::nullopt;
    }

 private:
    int number_;
    Nature nature_;
    Log& log_;
    unsigned ready_for_ = 0;
    std::thread::id ready_on_;
    std::size_t runs_ = 0;
    int clocks_ = 0;
};

std::unique_ptr<bench::Workers> threads(const std::vector<Nature>& natures, Log& log) {
    std::vector<std::unique_ptr<bench::Worker>> workers;
    for (const Nature& nature : natures) {
        workers.push_back(std::make_unique<MadeUp>(static_cast<int>(workers.size()), nature, log));
    }
    return bench::on_threads(std::move(workers));
}

std::vector<Nature> workers_of_ms(const std::vector<double>& ms) {
    std::vector<Nature> natures;
    for (const double time : ms) natures.push_back({.ms = {time}});
    return natures;
}

/// A team after its warm-up of one launch per worker.
Team settled(std::unique_ptr<bench::Workers> workers) {
    Team team(std::move(workers));
    Tally tally = tally_of(coin, samples_per_launch);
    team.time(0, team.size(), tally);
    team.settle();
    return team;
}

/// The tally of one worker after launches [first, end).
Tally by_one(std::uint64_t first, std::uint64_t end) {
    Tally tally = tally_of(coin, samples_per_launch);
    for (std::uint64_t k = first; k < end; k++) {
        const Count hits = hits_of(k);
        tally.add({&hits, 1});
    }
    return tally;
}

void expect_same_sums(const Tally& a, const Tally& b) {
    EXPECT_TRUE(a.state().sums == b.state().sums);
    EXPECT_TRUE(a.state().least == b.state().least);
    EXPECT_TRUE(a.state().most == b.state().most);
    EXPECT_EQ(a.state().fingerprints.kept(), b.state().fingerprints.kept());
}

// Some batches have fewer launches than workers.
TEST(TeamOfThreads, RunsEveryLaunchOnceAndCountsWhatOneWorkerCounts) {
    for (const auto& ms : {std::vector{1.0}, {1, 1}, {1, 2.5, 0.3}, {4, 1, 1, 1, 1, 1, 20}}) {
        Log log;
        Team team = settled(threads(workers_of_ms(ms), log));
        log.shares.clear();
        Tally tally = tally_of(coin, samples_per_launch);
        std::uint64_t next = 5;
        for (const unsigned batch : {7u, 1u, 12u, 2u, 100u, 3u}) {
            team.time(next, batch, tally);
            next += batch;
        }
        EXPECT_EQ(log.launches(), numbers(5, next)) << ms.size() << " workers";
        expect_same_sums(tally, by_one(5, next));
    }
}

TEST(TeamOfThreads, SharesAreCutInTheOrderOfTheWorkers) {
    Log log;
    Team team = settled(threads(workers_of_ms({1, 0.5, 0.25}), log));
    log.shares.clear();
    Tally tally = tally_of(coin, samples_per_launch);
    team.time(1000, 14, tally);
    std::sort(log.shares.begin(), log.shares.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    ASSERT_EQ(log.shares.size(), 3u);
    const Share expected[] = {{1000, 2}, {1002, 4}, {1006, 8}};
    for (int i = 0; i < 3; i++) {
        const auto& [worker, share] = log.shares[static_cast<std::size_t>(i)];
        EXPECT_EQ(worker, i);
        EXPECT_EQ(share.first, expected[i].first);
        EXPECT_EQ(share.launches, expected[i].launches);
    }
}

TEST(TeamOfThreads, TakesAsLongAsItsSlowestMember) {
    Log log;
    std::vector<Nature> natures = workers_of_ms({2, 5, 3});
    natures[1].setup_ms = 0.5;
    natures[2].setup_ms = 2.5;
    Team team(threads(natures, log));
    Tally tally = tally_of(coin, samples_per_launch);
    const BatchTime time = team.time(0, 6, tally);  // not settled: two each
    EXPECT_EQ(time.total_ms, 10);
    EXPECT_EQ(time.phases_ms[0], 1) << "that of the same member";
}

TEST(TeamOfThreads, SharesFollowTheSpeedsOfTheWarmUp) {
    Log log;
    Team team(threads(workers_of_ms({2, 5}), log));
    Tally tally = tally_of(coin, samples_per_launch);
    EXPECT_EQ(team.side_by_side(256), 2u) << "not known yet";
    EXPECT_EQ(team.time(0, 14, tally).total_ms, 35);
    team.settle();
    EXPECT_EQ(team.side_by_side(256), 7u);
    EXPECT_EQ(team.time(0, 14, tally).total_ms, 20) << "10 and 4";
}

// The first run is slow because nothing is warm.
TEST(TeamOfThreads, TheShortestTimeOfTheWarmUpIsTheSpeed) {
    Log log;
    Team team(threads({{.ms = {50, 1, 3}}, {.ms = {1, 2, 1}}}, log));
    Tally tally = tally_of(coin, samples_per_launch);
    for (int i = 0; i < 2; i++) team.time(0, 2, tally);
    team.settle();
    EXPECT_EQ(team.side_by_side(256), 2u);
    EXPECT_EQ(team.time(0, 2, tally).total_ms, 3) << "one each";
}

TEST(TeamReport, TellsOfEachMember) {
    Log log;
    const std::vector<Nature> natures = {{.ms = {1, 2, 8, 3}, .device = 2, .max_clock_mhz = 1980},
                                         {.ms = {1, 4, 4, 5}, .device = 0}};
    Team team = settled(threads(natures, log));
    Tally tally = tally_of(coin, samples_per_launch);
    for (int i = 0; i < 3; i++) team.time(0, 4, tally);
    const auto report = team.report();
    ASSERT_EQ(report.members.size(), 2u);
    for (const auto& member : report.members) {
        EXPECT_EQ(member.facts.worker.name, "made up");
        EXPECT_EQ(member.facts.host, bench::host_name());
        EXPECT_EQ(member.facts.rank, std::nullopt);
        EXPECT_EQ(member.launches, 6u);
        EXPECT_EQ(member.sm_clock_mhz, 1003) << "of three timings, none of the warm-up";
        EXPECT_EQ(member.power_w, std::nullopt) << "not measured";
    }
    EXPECT_EQ(report.members[0].facts.worker.device, 2);
    EXPECT_EQ(report.members[1].facts.worker.device, 0);
    EXPECT_EQ(report.members[0].facts.worker.max_clock_mhz, 1980);
    EXPECT_EQ(report.members[1].facts.worker.max_clock_mhz, std::nullopt);
    EXPECT_DOUBLE_EQ(report.members[0].launches_per_ms.value(), 1.0 / 3);  // median of 2, 8, 3 ms
    EXPECT_DOUBLE_EQ(report.members[1].launches_per_ms.value(), 1.0 / 4);
}

TEST(TeamReport, HasATimeOfEveryTimingButThoseOfTheWarmUp) {
    Log log;
    Team team = settled(threads(workers_of_ms({1, 1}), log));
    EXPECT_TRUE(team.report().wall_ms.empty());
    Tally tally = tally_of(coin, samples_per_launch);
    for (std::size_t timings = 1; timings <= 20; timings++) {
        team.time(0, 1 + timings % 3, tally);
        ASSERT_EQ(team.report().wall_ms.size(), timings);
        EXPECT_GE(team.report().wall_ms.back(), 0);
        EXPECT_TRUE(std::isfinite(team.report().wall_ms.back()));
    }
}

TEST(TeamReport, HasNoFiguresOfAMemberWithoutLaunches) {
    Log log;
    Team team = settled(threads(workers_of_ms({1, 100}), log));
    log.shares.clear();
    Tally tally = tally_of(coin, samples_per_launch);
    team.time(0, 3, tally);
    EXPECT_EQ(log.shares.size(), 1u) << "the other runs nothing";
    const auto report = team.report();
    EXPECT_EQ(report.members[0].launches, 3u);
    EXPECT_EQ(report.members[1].launches, 0u);
    EXPECT_EQ(report.members[1].launches_per_ms, std::nullopt);
    EXPECT_EQ(report.members[1].sm_clock_mhz, std::nullopt);
}

TEST(TeamReport, HasThePowerOfEachMemberThatHasOne) {
    Log log;
    Team team = settled(threads({{.power_w = 300}, {}, {.power_w = 500}}, log));
    team.measure_power(2.5);
    const auto report = team.report();
    EXPECT_EQ(report.members[0].power_w, 302.5);
    EXPECT_EQ(report.members[1].power_w, std::nullopt);
    EXPECT_EQ(report.members[2].power_w, 502.5);
}

/// Code and line of the error that `action` throws.
std::pair<int, std::string> error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const bench::Error& error) {
        return {error.code(), error.what()};
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

using Failure = std::pair<int, std::string>;

const std::function<void()> out_of_memory = [] { throw bench::CudaError("out of memory"); };

/// The error of a batch of two launches per worker, and the tally of that batch. One worker throws.
Failure failure(std::vector<Nature> natures, Log& log, Tally& tally) {
    const auto workers = threads(natures, log);
    std::vector<Share> shares;
    for (std::size_t i = 0; i < natures.size(); i++) shares.push_back({2 * i, 2});
    return error_of([&] { workers->run(shares, tally); });
}

TEST(TeamOfThreads, AnErrorInGettingReadyNamesTheDevice) {
    for (const std::size_t failing : {0, 1, 2}) {
        Log log;
        Tally tally = tally_of(coin, samples_per_launch);
        std::vector<Nature> natures(3);
        natures[failing] = {.device = 5, .at_get_ready = out_of_memory};
        EXPECT_EQ(failure(natures, log, tally), (Failure{4, "device 5 (made up): out of memory"}));
        for (const auto& [worker, share] : log.shares) {
            EXPECT_NE(worker, static_cast<int>(failing)) << "it was not ready";
        }
    }
}

TEST(TeamOfThreads, AnErrorInARunNamesTheDeviceAndTheOthersFinish) {
    for (const int failing : {0, 1, 2}) {
        Log log;
        Tally tally = tally_of(coin, samples_per_launch);
        std::vector<Nature> natures(3);
        natures[static_cast<std::size_t>(failing)] = {.device = failing, .at_run = out_of_memory};
        EXPECT_EQ(failure(natures, log, tally),
                  (Failure{4, "device " + std::to_string(failing) + " (made up): out of memory"}));
        EXPECT_EQ(log.shares.size(), 2u);
        EXPECT_EQ(tally.launches(), 0u) << "nothing of a batch that failed";
    }
}

TEST(TeamOfThreads, AnErrorKeepsItsExitCode) {
    const std::pair<int, std::function<void()>> errors[] = {
        {1, [] { throw bench::VerdictError("what happened"); }}, {2, [] { throw bench::UsageError("what happened"); }},
        {3, [] { throw bench::NoGpuError("what happened"); }},   {4, [] { throw bench::CudaError("what happened"); }},
        {5, [] { throw bench::WriteError("what happened"); }},
    };
    for (const auto& [code, throws] : errors) {
        Log log;
        Tally tally = tally_of(coin, samples_per_launch);
        EXPECT_EQ(failure({{}, {.device = 1, .at_run = throws}}, log, tally),
                  (Failure{code, "device 1 (made up): what happened"}));
    }
}

TEST(TeamOfThreads, AnErrorOfAWorkerWithoutADeviceNamesTheWorker) {
    Log log;
    Tally tally = tally_of(coin, samples_per_launch);
    EXPECT_EQ(failure({{}, {.at_run = out_of_memory}}, log, tally), (Failure{4, "made up: out of memory"}));
}

TEST(TeamOfThreads, OfSeveralErrorsTheFirstWorkersIsThrown) {
    Log log;
    Tally tally = tally_of(coin, samples_per_launch);
    const auto other = [] { throw bench::NoGpuError("gone"); };
    EXPECT_EQ(failure({{}, {.device = 1, .at_run = out_of_memory}, {.device = 2, .at_get_ready = other}}, log, tally),
              (Failure{4, "device 1 (made up): out of memory"}));
    EXPECT_EQ(failure({{.device = 0, .at_get_ready = other}, {.device = 1, .at_get_ready = out_of_memory}}, log, tally),
              (Failure{3, "device 0 (made up): gone"}));
    EXPECT_TRUE(log.shares.size() <= 1) << "none ran of the second team";
}

TEST(TeamOfThreads, ASignalIsNoErrorOfADevice) {
    for (const auto code : {bench::exit_interrupted, bench::exit_terminated}) {
        Log log;
        Tally tally = tally_of(coin, samples_per_launch);
        const auto interrupted = [code] { throw bench::Interrupted(code); };
        const auto [exit_code, line] = failure({{}, {.device = 1, .at_run = interrupted}}, log, tally);
        EXPECT_EQ(exit_code, code);
        EXPECT_EQ(line.find("device"), std::string::npos) << line;
    }
}

TEST(TeamOfThreads, AnErrorThatIsNoneOfTheSuitesIsNotLost) {
    Log log;
    const auto workers = threads({{}, {.at_run = [] { throw std::runtime_error("what happened"); }}}, log);
    Tally tally = tally_of(coin, samples_per_launch);
    const std::vector<Share> shares = {{0, 1}, {1, 1}};
    try {
        workers->run(shares, tally);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("what happened"), std::string::npos) << error.what();
    }
}

TEST(TeamOfThreads, AnErrorInMeasuringPowerNamesTheDevice) {
    class Powerless : public MadeUp {
     public:
        using MadeUp::MadeUp;
        std::optional<double> power_w(double) override { throw bench::CudaError("lost"); }
    };
    Log log;
    std::vector<std::unique_ptr<bench::Worker>> workers;
    workers.push_back(std::make_unique<MadeUp>(0, Nature{.power_w = 1}, log));
    workers.push_back(std::make_unique<Powerless>(1, Nature{.device = 1}, log));
    const auto team = bench::on_threads(std::move(workers));
    EXPECT_EQ(error_of([&] { team->powers_w(1); }), (Failure{4, "device 1 (made up): lost"}));
}

// Each worker waits for the others. With fewer threads than workers they would wait for ever.
TEST(TeamOfThreads, AllRunAtTheSameTime) {
    constexpr int size = 4;
    std::atomic<int> running = 0;
    const auto wait_for_all = [&] {
        running++;
        while (running < size) std::this_thread::yield();
    };
    Log log;
    const auto workers = threads(std::vector<Nature>(size, Nature{.at_run = wait_for_all}), log);
    Tally tally = tally_of(coin, samples_per_launch);
    workers->run(std::vector<Share>{{0, 1}, {1, 1}, {2, 1}, {3, 1}}, tally);
    expect_same_sums(tally, by_one(0, 4));
}

TEST(TeamOfThreads, NoneRunsBeforeAllAreReady) {
    std::atomic<int> ready = 0;
    Nature nature;
    nature.at_get_ready = [&] { ready++; };
    nature.at_run = [&] { EXPECT_EQ(ready, 4); };
    Log log;
    const auto workers = threads(std::vector<Nature>(4, nature), log);
    Tally tally = tally_of(coin, samples_per_launch);
    workers->run(std::vector<Share>{{0, 1}, {1, 1}, {2, 1}, {3, 1}}, tally);
    EXPECT_EQ(log.shares.size(), 4u);
}

/// Removes the variables of a launcher that may have started the test.
struct PlainStart {
    PlainStart() {
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) unsetenv(name);
    }
};

/// A world of this process.
class TeamOfRanks : public testing::Test {
 protected:
    std::unique_ptr<bench::Workers> ranks(const Nature& nature) {
        return bench::on_ranks(world, std::make_unique<MadeUp>(0, nature, log));
    }

    PlainStart plain_start;
    bench::World world;
    Log log;
};

TEST_F(TeamOfRanks, OfOneRunsWhatItIsGiven) {
    Team team(ranks({.ms = {3}, .setup_ms = 1, .device = 2}));
    EXPECT_EQ(team.size(), 1u);
    Tally tally = tally_of(coin, samples_per_launch);
    const BatchTime time = team.time(7, 5, tally);
    EXPECT_EQ(time.total_ms, 15);
    EXPECT_EQ(time.phases_ms[0], 5);
    EXPECT_EQ(log.launches(), numbers(7, 12));
    expect_same_sums(tally, by_one(7, 12));
    team.time(12, 3, tally);
    expect_same_sums(tally, by_one(7, 15));
}

TEST_F(TeamOfRanks, OfOneIsReported) {
    Team team = settled(ranks({.ms = {1, 2, 8, 3}, .device = 2, .max_clock_mhz = 1980, .power_w = 300}));
    Tally tally = tally_of(coin, samples_per_launch);
    for (int i = 0; i < 3; i++) team.time(0, 2, tally);
    team.measure_power(2.5);
    const auto report = team.report();
    ASSERT_EQ(report.members.size(), 1u);
    const auto& member = report.members.front();
    EXPECT_EQ(member.facts.rank, 0);
    EXPECT_EQ(member.facts.host, bench::host_name());
    EXPECT_EQ(member.facts.worker.name, "made up");
    EXPECT_EQ(member.facts.worker.device, 2);
    EXPECT_EQ(member.facts.worker.max_clock_mhz, 1980);
    EXPECT_EQ(member.launches, 6u);
    EXPECT_DOUBLE_EQ(member.launches_per_ms.value(), 1.0 / 3);
    EXPECT_EQ(member.sm_clock_mhz, 1003) << "of three timings, none of the warm-up";
    EXPECT_EQ(member.power_w, 302.5);
    ASSERT_EQ(report.wall_ms.size(), 3u);
    for (const double ms : report.wall_ms) EXPECT_GE(ms, 0);
}

TEST_F(TeamOfRanks, HasNoFiguresThatItsWorkerHasNot) {
    const auto workers = ranks({});
    EXPECT_EQ(workers->clocks_mhz(), std::vector<std::optional<double>>{std::nullopt});
    EXPECT_EQ(workers->powers_w(1), std::vector<std::optional<double>>{std::nullopt});
    EXPECT_EQ(workers->facts().front().worker.device, std::nullopt);
    EXPECT_EQ(workers->facts().front().worker.max_clock_mhz, std::nullopt);
}

TEST_F(TeamOfRanks, RunsNothingOfAnEmptyShare) {
    const auto workers = ranks({});
    Tally tally = tally_of(coin, samples_per_launch);
    const std::vector<Share> shares = {{5, 0}};
    EXPECT_EQ(workers->run(shares, tally).member.at(0).total_ms, 0);
    EXPECT_TRUE(log.shares.empty());
    EXPECT_EQ(tally.launches(), 0u);
}

// 2^61 hits of 2^62 samples; the square has 123 bits.
TEST_F(TeamOfRanks, AddsUpSquaresOfMoreThan64Bits) {
    class Large : public MadeUp {
     public:
        using MadeUp::MadeUp;
        BatchTime run(const Share&, Tally& tally) override {
            const Count hits = (Count{1} << 61) + 0x123456789;
            tally.add({&hits, 1});
            return {1};
        }
    };
    const auto workers = bench::on_ranks(world, std::make_unique<Large>(0, Nature{}, log));
    Tally tally = tally_of(coin, std::uint64_t{1} << 62);
    const std::vector<Share> shares = {{0, 1}};
    workers->run(shares, tally);
    constexpr bench::Uint128 hits = (bench::Uint128{1} << 61) + 0x123456789;
    EXPECT_TRUE((tally.state().sums == bench::Sums{1, {hits, hits * hits, hits * hits}}));
}

// The trace has a point after each batch, as if one process timed as many launches at once.
TEST_F(TeamOfRanks, NotesItsTrace) {
    const auto workers = ranks({});
    Tally tally = tally_of(coin, samples_per_launch);
    for (const Share share : {Share{0, 3}, Share{3, 2}}) {
        const std::vector<Share> shares = {share};
        workers->run(shares, tally);
    }
    const auto trace = tally.trace();
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_TRUE(trace[0] == by_one(0, 3).state().sums);
    EXPECT_TRUE(trace[1] == by_one(0, 5).state().sums);
}

TEST_F(TeamOfRanks, AnErrorOfTheFirstSaysWhatASingleProcessSays) {
    for (const bool in_run : {false, true}) {
        Nature nature;
        (in_run ? nature.at_run : nature.at_get_ready) = out_of_memory;
        const auto workers = ranks(nature);
        Tally tally = tally_of(coin, samples_per_launch);
        const std::vector<Share> shares = {{0, 2}};
        EXPECT_EQ(error_of([&] { workers->run(shares, tally); }), (Failure{4, "out of memory"}));
        EXPECT_TRUE(log.shares.empty());
        EXPECT_EQ(tally.launches(), 0u);
    }
}

TEST_F(TeamOfRanks, ASignalKeepsItsExitCode) {
    const auto workers = ranks({.at_run = [] { throw bench::Interrupted(bench::exit_terminated); }});
    Tally tally = tally_of(coin, samples_per_launch);
    const std::vector<Share> shares = {{0, 2}};
    EXPECT_THROW(
        {
            try {
                workers->run(shares, tally);
            } catch (const bench::Interrupted& interrupted) {
                EXPECT_EQ(interrupted.code(), 143);
                throw;
            }
        },
        bench::Interrupted);
}

}  // namespace
