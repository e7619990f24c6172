// Which parts of a launch are replayed, for how long, and that no difference is lost.
#include "bench/rehearsal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "bench/errors.hpp"
#include "bench/measure/measurement.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

constexpr double long_enough = 60;

/// A rehearsal of so many parts whose `faulty` part differs. `replayed`: the parts that were looked at.
struct Watched {
    std::mutex mutex;
    std::multiset<std::size_t> replayed;

    bench::Rehearsal of(std::size_t parts, std::size_t faulty = SIZE_MAX, double seconds_of_part = 0) {
        return {{}, nullptr, parts, [=, this](std::size_t part, std::span<const bench::Count>) -> std::string {
                    const double end = bench::monotonic_seconds() + seconds_of_part;
                    while (bench::monotonic_seconds() < end) {
                    }
                    const std::lock_guard lock(mutex);
                    replayed.insert(part);
                    return part == faulty ? "part has a fault" : "";
                }};
    }
};

TEST(Rehearsal, ReplaysEveryPartOnceIfThereIsTime) {
    for (const std::size_t parts : {1u, 2u, 3u, 264u}) {
        Watched watched;
        EXPECT_EQ(bench::compare_with_replay(watched.of(parts), {}, 1, long_enough), parts);
        EXPECT_EQ(watched.replayed.size(), parts);
        EXPECT_EQ(std::set<std::size_t>(watched.replayed.begin(), watched.replayed.end()).size(), parts);
        EXPECT_EQ(*watched.replayed.rbegin(), parts - 1);
    }
}

TEST(Rehearsal, FindsADifferenceInAnyPart) {
    for (const std::size_t parts : {1u, 2u, 20u}) {
        for (std::size_t faulty = 0; faulty < parts; faulty++) {
            Watched watched;
            EXPECT_EQ(line_of<bench::VerdictError>(
                          [&] { bench::compare_with_replay(watched.of(parts, faulty), {}, 1, long_enough); }),
                      "rehearsal: part has a fault");
        }
    }
}

TEST(Rehearsal, ReplaysTheFirstAndTheLastPartEvenWithoutTime) {
    for (const std::size_t parts : {1u, 2u, 264u}) {
        Watched watched;
        const std::size_t replayed = bench::compare_with_replay(watched.of(parts), {}, 1, 0);
        EXPECT_EQ(replayed, watched.replayed.size());
        EXPECT_TRUE(watched.replayed.count(0) && watched.replayed.count(parts - 1)) << parts;
    }
}

TEST(Rehearsal, EndsInTimeAndTakesOtherPartsWithAnotherSeed) {
    constexpr std::size_t parts = 10'000;
    std::set<std::size_t> of_seed[2];
    for (const std::uint64_t seed : {0u, 1u}) {
        Watched watched;
        const double start = bench::monotonic_seconds();
        const std::size_t replayed = bench::compare_with_replay(watched.of(parts, SIZE_MAX, 1e-2), {}, seed, 0.1);
        EXPECT_LT(bench::monotonic_seconds() - start, 20);  // all parts take 100 s of a core
        EXPECT_LT(replayed, parts);
        of_seed[seed] = {watched.replayed.begin(), watched.replayed.end()};
    }
    EXPECT_NE(of_seed[0], of_seed[1]);
}

TEST(OnAllCores, CallsEachTaskOnce) {
    for (const std::size_t n : {0u, 1u, 1000u}) {
        std::vector<std::atomic<int>> calls(n);
        EXPECT_EQ(bench::on_all_cores(n, [&](std::size_t i) { return calls[i]++, true; }), n);
        for (const auto& of_task : calls) EXPECT_EQ(of_task, 1);
    }
}

TEST(OnAllCores, BeginsNoTaskAfterOneThatEndsThem) {
    std::atomic<std::size_t> begun = 0;
    const std::size_t done = bench::on_all_cores(1'000'000, [&](std::size_t i) { return begun++, i != 100; });
    EXPECT_EQ(done, begun);
    EXPECT_GE(done, 101u);
    EXPECT_LT(done, 1'000'000u);
}

TEST(OnAllCores, ThrowsWhatATaskThrew) {
    for (const std::size_t thrower : {0u, 57u, 99u}) {
        EXPECT_THROW(bench::on_all_cores(100,
                                         [&](std::size_t i) {
                                             if (i == thrower) throw std::out_of_range("task");
                                             return true;
                                         }),
                     std::out_of_range);
    }
}

}  // namespace
