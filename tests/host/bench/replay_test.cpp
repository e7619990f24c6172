// Which parts of a launch are replayed, for how long, and that no difference is lost.
#include "bench/replay.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

constexpr double long_enough = 60;

/// A replay of so many parts whose `faulty` part differs. `replayed`: the parts that were looked at.
struct Watched {
    std::mutex mutex;
    std::multiset<std::uint64_t> replayed;

    bench::Replay of(std::uint64_t parts, std::uint64_t faulty = UINT64_MAX, double seconds_of_part = 0) {
        bench::Replay replay = {.spec = {}, .parts = parts};
        replay.difference = [=, this](std::uint64_t, std::uint64_t part, const bench::Replay::Sums&,
                                      std::span<const bench::Count>) -> std::string {
            const double end = bench::monotonic_seconds() + seconds_of_part;
            while (bench::monotonic_seconds() < end) {
            }
            const std::lock_guard lock(mutex);
            replayed.insert(part);
            return part == faulty ? "part has a fault" : "";
        };
        return replay;
    }
};

TEST(Rehearsal, ReplaysEveryPartOnceIfThereIsTime) {
    for (const std::uint64_t parts : {1u, 2u, 3u, 264u}) {
        Watched watched;
        EXPECT_EQ(bench::rehearse(watched.of(parts), {}, 1, UINT64_MAX, long_enough).parts, parts);
        EXPECT_EQ(watched.replayed.size(), parts);
        EXPECT_EQ(std::set<std::uint64_t>(watched.replayed.begin(), watched.replayed.end()).size(), parts);
        EXPECT_EQ(*watched.replayed.rbegin(), parts - 1);
    }
}

TEST(Rehearsal, FindsADifferenceInAnyPart) {
    for (const std::uint64_t parts : {1u, 2u, 20u}) {
        for (std::uint64_t faulty = 0; faulty < parts; faulty++) {
            Watched watched;
            EXPECT_EQ(line_of<bench::VerdictError>(
                          [&] { bench::rehearse(watched.of(parts, faulty), {}, 1, UINT64_MAX, long_enough); }),
                      "rehearsal: launch 1: part has a fault");
        }
    }
}

TEST(Rehearsal, ReplaysTheFirstAndTheLastPartEvenWithoutTime) {
    for (const std::uint64_t parts : {1u, 2u, 264u}) {
        Watched watched;
        const std::uint64_t replayed = bench::rehearse(watched.of(parts), {}, 1, UINT64_MAX, 0).parts;
        EXPECT_EQ(replayed, watched.replayed.size());
        EXPECT_TRUE(watched.replayed.count(0) && watched.replayed.count(parts - 1)) << parts;
    }
}

TEST(Rehearsal, ReplaysAtMostSoManyParts) {
    Watched watched;
    EXPECT_EQ(bench::rehearse(watched.of(264), {}, 1, 3, long_enough).parts, 3u);
    EXPECT_TRUE(watched.replayed.count(0) && watched.replayed.count(263));
}

TEST(Rehearsal, EndsInTimeAndTakesOtherPartsWithAnotherSeed) {
    constexpr std::uint64_t parts = 10'000;
    std::set<std::uint64_t> of_seed[2];
    for (const std::uint64_t seed : {0u, 1u}) {
        Watched watched;
        const double start = bench::monotonic_seconds();
        const std::uint64_t replayed =
            bench::rehearse(watched.of(parts, UINT64_MAX, 1e-2), {}, seed, UINT64_MAX, 0.1).parts;
        EXPECT_LT(bench::monotonic_seconds() - start, 20);  // all parts take 100 s of a core
        EXPECT_LT(replayed, parts);
        of_seed[seed] = {watched.replayed.begin(), watched.replayed.end()};
    }
    EXPECT_NE(of_seed[0], of_seed[1]);
}

/// Launches whose part p publishes the sum of its streams, each worth its number times that of the launch, and a second count.
bench::Replay sums_of_streams(std::uint64_t parts, std::uint64_t streams, std::uint64_t together) {
    bench::Replay replay = {.spec = {}, .parts = parts, .streams = streams, .together = together};
    replay.sums = [=](std::uint64_t launch, std::uint64_t first, std::uint64_t n) {
        EXPECT_EQ(first % together, 0u);
        EXPECT_EQ(n % together, 0u);
        double sum = 0;
        for (std::uint64_t stream = first; stream < first + n; stream++) sum += double(stream * launch);
        return bench::Replay::Sums{sum};
    };
    replay.difference = [](std::uint64_t, std::uint64_t part, const bench::Replay::Sums& sums,
                           std::span<const bench::Count> counts) -> std::string {
        return double(counts[0]) == sums[0] && counts[1] == part ? "" : std::to_string(part) + " differs";
    };
    return replay;
}

std::vector<bench::Count> published(std::uint64_t launch, std::uint64_t parts, std::uint64_t streams) {
    std::vector<bench::Count> counts(2 * parts);
    for (std::uint64_t stream = 0; stream < parts * streams; stream++) counts[stream / streams] += stream * launch;
    std::iota(counts.begin() + std::ptrdiff_t(parts), counts.end(), 0);
    return counts;
}

// Few parts are replayed in pieces, by several cores.
TEST(Replay, OfAPartIsThatOfAllItsStreams) {
    for (const std::uint64_t parts : {1u, 3u, 300u}) {
        for (const auto& [streams, together] : {std::pair(1u, 1u), {17u, 1u}, {1000u, 1u}, {96u, 32u}, {77u, 77u}}) {
            const auto replay = sums_of_streams(parts, streams, together);
            const auto counts = published(bench::rehearsed_launch, parts, streams);
            EXPECT_EQ(bench::rehearse(replay, counts, 1, UINT64_MAX, long_enough).parts, parts);
            for (std::uint64_t wrong = 0; wrong < counts.size(); wrong += 1 + counts.size() / 5) {
                auto others = counts;
                others[wrong]++;
                EXPECT_THROW(bench::rehearse(replay, others, 1, UINT64_MAX, long_enough), bench::VerdictError);
                EXPECT_NE(bench::difference(replay, 1, wrong % parts, others), "");
                EXPECT_EQ(bench::difference(replay, 1, wrong % parts, counts), "");
            }
        }
    }
}

TEST(Replay, OfChosenLaunchesNamesTheOneThatDiffers) {
    const auto replay = sums_of_streams(4, 50, 1);
    const auto part = [&](std::uint64_t i) -> bench::PartCounts {
        const std::uint64_t launch = 10 + i, own = i % 4;
        return {launch, own, bench::counts_of_part(replay, published(launch == 12 ? 13 : launch, 4, 50), own)};
    };
    EXPECT_EQ(bench::compare_with_replay(replay, 2, part, 2, 0, "audit").parts, 2u);
    EXPECT_EQ(line_of<bench::VerdictError>([&] { bench::compare_with_replay(replay, 3, part, 3, 0, "audit"); }),
              "audit: launch 12: 2 differs");
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
