// Workers share launches; their counts, times and errors come together.
#include "bench/workers/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
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
#include "bench/host.hpp"
#include "bench/whole_numbers.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::BatchTime;
using bench::Count;
using bench::launches_side_by_side;
using bench::Member;
using bench::Share;
using bench::shares_by_speed;
using bench::Tally;
using bench::Team;

using Shares = std::vector<unsigned>;
using Speeds = std::vector<double>;

/// Speeds of which no two are equal.
const std::vector<Speeds> unlike = {{1, 2},     {1, 1.3, 3.7},          {10, 1, 0.9},
                                    {0.3, 0.7}, {5, 1, 1, 1},           {1, 1.1, 1.2, 4},
                                    {100, 1},   {1e-3, 2.2e-3, 1.7e-3}, {7.1e5, 3e5, 1e5}};

/// Time until workers of these speeds have done their shares.
double makespan(const Shares& shares, const Speeds& speeds) {
    double longest = 0;
    for (std::size_t i = 0; i < shares.size(); i++) longest = std::max(longest, shares[i] / speeds[i]);
    return longest;
}

/// The shortest time over all ways to split the launches, if the first workers have these shares.
double shortest_makespan(unsigned launches, const Speeds& speeds, Shares shares = {}) {
    if (shares.size() + 1 == speeds.size()) {
        shares.push_back(launches);
        return makespan(shares, speeds);
    }
    double shortest = std::numeric_limits<double>::infinity();
    shares.push_back(0);
    for (unsigned share = 0; share <= launches; share++) {
        shares.back() = share;
        shortest = std::min(shortest, shortest_makespan(launches - share, speeds, shares));
    }
    return shortest;
}

TEST(SharesBySpeed, AreAllLaunches) {
    std::vector<Speeds> all = unlike;
    all.insert(all.end(), {{1}, {3, 3}, {1, 0.97, 0.99}, Speeds(49, 1.0 / 3), Speeds(200, 7)});
    for (const Speeds& speeds : all) {
        for (const unsigned launches : {0u, 1u, 2u, 7u, 193u, 300u, 4'000'000'000u}) {
            const Shares shares = shares_by_speed(launches, speeds);
            ASSERT_EQ(shares.size(), speeds.size());
            EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), 0u), launches) << speeds.size() << " workers";
        }
    }
}

// Two timings of the same GPU differ by a few percent.
TEST(SharesBySpeed, AreProportionalOrEqualIfAllAreWithinFivePercentOfTheFastest) {
    EXPECT_EQ(shares_by_speed(80, Speeds{2e-3, 1e-3, 5e-3}), (Shares{20, 10, 50}));
    EXPECT_EQ(shares_by_speed(1100, Speeds{1, 10}), (Shares{100, 1000}));
    EXPECT_EQ(shares_by_speed(193, Speeds{1, 0.93}), (Shares{100, 93}));
    EXPECT_EQ(shares_by_speed(400, Speeds{1, 0.96, 1, 0.951}), (Shares{100, 100, 100, 100}));
    for (unsigned launches = 0; launches <= 50; launches++) {
        const Shares shares = shares_by_speed(launches, Speeds{97, 100, 96, 99});
        const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
        EXPECT_LE(*most - *least, 1u) << launches << " launches";
    }
    const Shares shares = shares_by_speed(1000, Speeds{1, 0.96, 0.93});  // each within 5 % of the next
    EXPECT_GT(shares[0], shares[1]);
    EXPECT_GT(shares[1], shares[2]);
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

TEST(SideBySide, IsOneAWorkerWhereTheyAreEquallyFastOrAsManyAsEndTogether) {
    for (const unsigned most : {0u, 1u, 4u, 256u}) {
        EXPECT_EQ(launches_side_by_side(Speeds{1, 0.96, 0.98, 0.951}, most), 4u);
        EXPECT_EQ(launches_side_by_side(Speeds{5}, most), 1u);
    }
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

/// An empty tally of a coin.
Tally no_launches() { return sample_tallies::tally_of({{1, 2}}, 1'000'000); }

/// Made-up hits of launch number k.
Count hits_of(std::uint64_t k) { return 500'000 + k * k % 997; }

/// The launches that the workers of a team ran.
struct Log {
    std::mutex mutex;
    std::vector<std::uint64_t> launches = {};
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
    std::function<std::optional<double>(double)> power_w = [](double) { return std::nullopt; };
    std::function<void()> at_get_ready = [] {};
    std::function<void()> at_run = [] {};
};

class MadeUp : public bench::Worker {
 public:
    MadeUp(Nature nature, Log& log) : nature_(std::move(nature)), log_(log) {}

    Member identity() const override {
        Member member;
        member.name = "made up";
        member.device = nature_.device;
        member.max_clock_mhz = nature_.max_clock_mhz;
        return member;
    }
    void get_ready(unsigned launches) override {
        nature_.at_get_ready();
        ready_for_ = launches;
        ready_on_ = std::this_thread::get_id();
    }
    BatchTime run(const Share& share, const bench::CountSink& sink) override {
        nature_.at_run();
        EXPECT_EQ(ready_for_, share.launches);
        EXPECT_EQ(ready_on_, std::this_thread::get_id());
        for (std::uint64_t k = share.first; k < share.first + share.launches; k++) {
            const Count hits = hits_of(k);
            sink({&hits, 1});
            const std::lock_guard lock(log_.mutex);
            log_.launches.push_back(k);
        }
        const double ms = nature_.ms[std::min(runs_++, nature_.ms.size() - 1)];
        clocks_++;
        return {ms * share.launches, {nature_.setup_ms * share.launches}};
    }
    void start_anew() override { clocks_ = 0; }
    bench::Clocks clocks() const override {  // 1001 of one clock, 1002 of two, nothing of none
        if (clocks_ == 0) return {};
        return {1000.0 + clocks_, bench::Throttle{.timings = clocks_, .power = 1, .min_c = 45, .max_c = 62}};
    }
    std::optional<double> power_w(double launch_ms) override { return nature_.power_w(launch_ms); }

 private:
    Nature nature_;
    Log& log_;
    unsigned ready_for_ = 0;
    std::thread::id ready_on_;
    std::size_t runs_ = 0;
    unsigned clocks_ = 0;
};

std::unique_ptr<bench::Workers> threads(const std::vector<Nature>& natures, Log& log) {
    std::vector<std::unique_ptr<bench::Worker>> workers;
    for (const Nature& nature : natures) workers.push_back(std::make_unique<MadeUp>(nature, log));
    return bench::on_threads(std::move(workers));
}

std::vector<Nature> workers_of_ms(const std::vector<double>& ms) {
    std::vector<Nature> natures;
    for (const double time : ms) natures.push_back({.ms = {time}});
    return natures;
}

/// A team after its warm-up of one launch per worker.
Team settled(std::unique_ptr<bench::Workers> workers, Log& log) {
    Team team(std::move(workers));
    Tally tally = no_launches();
    team.time(0, team.size(), tally);
    team.settle();
    log.launches.clear();
    return team;
}

/// Runs one batch of shares of two launches each.
void run_twos(bench::Workers& workers, Tally& tally) {
    std::vector<Share> shares;
    for (unsigned i = 0; i < workers.size(); i++) shares.push_back({2 * i, 2});
    workers.run(shares, tally);
}

/// The tally of one worker after launches [first, end).
Tally by_one(std::uint64_t first, std::uint64_t end) {
    Tally tally = no_launches();
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
        Team team = settled(threads(workers_of_ms(ms), log), log);
        Tally tally = no_launches();
        std::uint64_t next = 5;
        for (const unsigned batch : {7u, 1u, 12u, 2u, 100u, 3u}) {
            team.time(next, batch, tally);
            next += batch;
        }
        std::sort(log.launches.begin(), log.launches.end());
        EXPECT_EQ(log.launches, numbers(5, next)) << ms.size() << " workers";
        expect_same_sums(tally, by_one(5, next));
    }
}

TEST(TeamOfThreads, TakesAsLongAsItsSlowestMember) {
    Log log;
    std::vector<Nature> natures = workers_of_ms({2, 5, 3});
    natures[1].setup_ms = 0.5;
    natures[2].setup_ms = 2.5;
    Team team(threads(natures, log));
    Tally tally = no_launches();
    const BatchTime time = team.time(0, 6, tally);  // not settled: two each
    EXPECT_EQ(time.total_ms, 10);
    EXPECT_EQ(time.phases_ms[0], 1) << "that of the same member";
}

// The first run is slow because nothing is warm.
TEST(TeamOfThreads, SharesFollowTheShortestTimesOfTheWarmUp) {
    Log log;
    Team team(threads({{.ms = {50, 2}}, {.ms = {5, 9, 5}}}, log));
    Tally tally = no_launches();
    EXPECT_EQ(team.side_by_side(256), 2u) << "not known yet";
    for (const double ms : {350, 63}) EXPECT_EQ(team.time(0, 14, tally).total_ms, ms) << "seven each";
    team.settle();
    EXPECT_EQ(team.side_by_side(256), 7u);
    EXPECT_EQ(team.time(0, 14, tally).total_ms, 20) << "10 and 4";
}

// Each worker waits for the others. With fewer threads than workers they would wait for ever.
TEST(TeamOfThreads, AllRunAtTheSameTimeAndNoneBeforeAllAreReady) {
    constexpr int size = 4;
    std::atomic<int> ready = 0, running = 0;
    Nature nature;
    nature.at_get_ready = [&] { ready++; };
    nature.at_run = [&] {
        EXPECT_EQ(ready, size);
        running++;
        while (running < size) std::this_thread::yield();
    };
    Log log;
    Tally tally = no_launches();
    run_twos(*threads(std::vector<Nature>(size, nature), log), tally);
    expect_same_sums(tally, by_one(0, 8));
}

/// Asserts what a team reports of a member that is device 2 with a clock of 1980 MHz and needs 1, 2, 8 and 3 ms a launch.
void expect_reported(const Member& member, std::optional<int> rank) {
    EXPECT_EQ(member.name, "made up");
    EXPECT_EQ(member.host, bench::host_name());
    EXPECT_EQ(member.rank, rank);
    EXPECT_EQ(member.device, 2);
    EXPECT_EQ(member.max_clock_mhz, 1980);
    EXPECT_EQ(member.launches, 6u) << "none of the warm-up";
    EXPECT_DOUBLE_EQ(member.launches_per_ms.value(), 1.0 / 3) << "median of 2, 8, 3 ms";
    EXPECT_EQ(member.sm_clock_mhz, 1003) << "of three timings";
    EXPECT_EQ(member.power_w, 302.5);
    EXPECT_EQ(member.throttle, (bench::Throttle{.timings = 3, .power = 1, .min_c = 45, .max_c = 62}));
}

const Nature reported = {
    .ms = {1, 2, 8, 3}, .device = 2, .max_clock_mhz = 1980, .power_w = [](double ms) { return 300 + ms; }};

TEST(TeamReport, TellsOfEachMemberAndTheTimeOfEachTiming) {
    Log log;
    Team team = settled(threads({reported, {.ms = {1, 1, 1, 5}}, {.ms = {100}}}, log), log);
    EXPECT_TRUE(team.wall_ms().empty());
    EXPECT_EQ(team.members()[0].power_w, std::nullopt) << "not measured";
    Tally tally = no_launches();
    for (int i = 0; i < 3; i++) team.time(0, 4, tally);
    team.measure_power(2.5);
    const auto members = team.members();
    ASSERT_EQ(members.size(), 3u);
    expect_reported(members[0], std::nullopt);
    EXPECT_EQ(members[1].device, std::nullopt);
    EXPECT_EQ(members[1].launches, 6u);
    EXPECT_EQ(members[1].power_w, std::nullopt) << "it has none";
    EXPECT_EQ(members[2].launches, 0u) << "too slow for a share";
    EXPECT_EQ(members[2].launches_per_ms, std::nullopt);
    EXPECT_EQ(members[2].sm_clock_mhz, std::nullopt);
    EXPECT_EQ(members[2].throttle, std::nullopt);
    ASSERT_EQ(team.wall_ms().size(), 3u);
    EXPECT_GE(team.wall_ms()[1], 4) << "16 ms of the slowest member for 4 launches";
}

/// Code and line of the error that `action` throws.
using Failure = std::pair<int, std::string>;

Failure error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const bench::Error& error) {
        return {error.code(), error.what()};
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

template <class Exception>
std::function<void()> throws(const char* what) {
    return [what] { throw Exception(what); };
}

const auto out_of_memory = throws<bench::CudaError>("out of memory");

TEST(TeamOfThreads, AnErrorKeepsItsExitCodeAndNamesTheDeviceAndTheOthersFinish) {
    const struct {
        std::vector<Nature> natures;
        std::size_t runs;  // of workers that finish
        Failure failure;
    } table[] = {
        {{{.device = 5, .at_run = out_of_memory}, {}, {}}, 2, {4, "device 5 (made up): out of memory"}},
        {{{}, {}, {.device = 5, .at_run = out_of_memory}}, 2, {4, "device 5 (made up): out of memory"}},
        {{{}, {.device = 5, .at_get_ready = out_of_memory}}, 1, {4, "device 5 (made up): out of memory"}},
        {{{}, {.at_run = out_of_memory}}, 1, {4, "made up: out of memory"}},
        {{{.at_run = out_of_memory}, {.at_get_ready = throws<bench::NoGpuError>("gone")}},
         0,
         {4, "made up: out of memory"}},
        {{{.at_get_ready = throws<bench::NoGpuError>("gone")}, {.at_get_ready = out_of_memory}},
         0,
         {3, "made up: gone"}},
        {{{}, {.at_run = throws<bench::VerdictError>("x")}}, 1, {1, "made up: x"}},
        {{{}, {.at_run = throws<bench::UsageError>("x")}}, 1, {2, "made up: x"}},
        {{{}, {.at_run = throws<bench::WriteError>("x")}}, 1, {5, "made up: x"}},
        {{{}, {.at_run = throws<std::runtime_error>("x")}}, 1, {4, "made up: x"}},
        {{{}, {.device = 1, .at_run = [] { throw bench::Interrupted(bench::exit_terminated, "x"); }}}, 1, {143, "x"}},
    };
    for (const auto& [natures, runs, failure] : table) {
        SCOPED_TRACE(failure.second);
        Log log;
        Tally tally = no_launches();
        const auto workers = threads(natures, log);
        EXPECT_EQ(error_of([&] { run_twos(*workers, tally); }), failure);
        EXPECT_EQ(log.launches.size(), 2 * runs);
        EXPECT_EQ(tally.launches(), 0u) << "nothing of a batch that failed";
    }
    Log log;
    const Nature powerless = {.device = 1,
                              .power_w = [](double) -> std::optional<double> { throw bench::CudaError("lost"); }};
    const auto workers = threads({{}, powerless}, log);
    EXPECT_EQ(error_of([&] { workers->powers_w(1); }), (Failure{4, "device 1 (made up): lost"}));
}

/// Removes the variables of a launcher that may have started the test.
struct PlainStart {
    PlainStart() {
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) unsetenv(name);
    }
};

/// A world of this process. tests/host/test_scale.py has larger ones.
class TeamOfRanks : public testing::Test {
 protected:
    std::unique_ptr<bench::Workers> ranks(const Nature& nature) {
        return bench::on_ranks(world, std::make_unique<MadeUp>(nature, log));
    }

    PlainStart plain_start;
    bench::World world;
    Log log;
};

// The trace has a point after each batch, as if one process timed as many launches at once.
TEST_F(TeamOfRanks, OfOneRunsWhatItIsGivenAndNotesItsTrace) {
    Team team(ranks({.ms = {3}, .setup_ms = 1}));
    EXPECT_EQ(team.size(), 1u);
    Tally tally = no_launches();
    const BatchTime time = team.time(7, 5, tally);
    EXPECT_EQ(time.total_ms, 15);
    EXPECT_EQ(time.phases_ms[0], 5);
    team.time(12, 3, tally);
    EXPECT_EQ(log.launches, numbers(7, 15));
    expect_same_sums(tally, by_one(7, 15));
    EXPECT_TRUE(tally.trace() == (std::vector{by_one(7, 12).state().sums, by_one(7, 15).state().sums}));
}

TEST_F(TeamOfRanks, OfOneIsReported) {
    Team team = settled(ranks(reported), log);
    Tally tally = no_launches();
    for (int i = 0; i < 3; i++) team.time(0, 2, tally);
    team.measure_power(2.5);
    ASSERT_EQ(team.members().size(), 1u);
    expect_reported(team.members().front(), 0);
    EXPECT_EQ(team.wall_ms().size(), 3u);
}

TEST_F(TeamOfRanks, HasNoFiguresThatItsWorkerHasNot) {
    const auto workers = ranks({});
    EXPECT_EQ(workers->clocks().at(0).mhz, std::nullopt);
    EXPECT_EQ(workers->clocks().at(0).throttle, std::nullopt);
    EXPECT_EQ(workers->powers_w(1), std::vector<std::optional<double>>{std::nullopt});
    EXPECT_EQ(workers->identities().front().device, std::nullopt);
    EXPECT_EQ(workers->identities().front().max_clock_mhz, std::nullopt);
    Tally tally = no_launches();
    EXPECT_EQ(workers->run(std::vector<Share>{{5, 0}}, tally).member.at(0).total_ms, 0) << "of an empty share";
    EXPECT_EQ(tally.launches(), 0u);
}

TEST_F(TeamOfRanks, AnErrorOfTheFirstSaysWhatASingleProcessSays) {
    const std::pair<Nature, Failure> table[] = {
        {{.at_run = out_of_memory}, {4, "out of memory"}},
        {{.at_get_ready = out_of_memory}, {4, "out of memory"}},
        {{.at_run = [] { throw bench::Interrupted(bench::exit_terminated, "x"); }}, {143, "interrupted, no result"}}};
    for (const auto& [nature, failure] : table) {
        const auto workers = ranks(nature);
        Tally tally = no_launches();
        EXPECT_EQ(error_of([&] { run_twos(*workers, tally); }), failure);
        EXPECT_TRUE(log.launches.empty());
        EXPECT_EQ(tally.launches(), 0u);
    }
}

}  // namespace
