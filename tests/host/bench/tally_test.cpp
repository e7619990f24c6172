// How hits add up, and the points of the trace.
#include "bench/tally.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "tests/host/bench/sample_estimand.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::Count;
using bench::CountedHits;
using bench::Tally;
using sample_tallies::hits_of;
using sample_tallies::tally_of;

constexpr bench::Law coin = {{1, 2}};

using Points = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Launches and hits at the points of the trace.
Points points(const Tally& tally) {
    Points result;
    for (const bench::Sums& point : tally.trace()) result.emplace_back(point.launches, hits_of(point));
    return result;
}

void add(Tally& tally, std::uint64_t launches, Count hits) {
    for (std::uint64_t i = 0; i < launches; i++) {
        tally.add({&hits, 1});
    }
}

TEST(Tally, AddsUpLaunchesAndForgetsTheWarmUp) {
    Tally tally = tally_of(coin, 1000);
    add(tally, 50, 480);
    tally.discard();
    EXPECT_EQ(CountedHits(tally).outcome().samples, 0u);
    EXPECT_TRUE(tally.trace().empty());
    tally.add(std::vector<Count>{300, 0, 220});
    add(tally, 1, 500);
    EXPECT_EQ(CountedHits(tally).outcome().hits, 1020u);
    EXPECT_EQ(CountedHits(tally).outcome().samples, 2000u);
    EXPECT_EQ(points(tally), (Points{{1, 520}, {2, 1020}}));
    EXPECT_THROW(add(tally, 1, UINT64_MAX), bench::VerdictError) << "a count that was never written";
}

/// Launch k of 100 samples in 4 blocks.
std::vector<Count> launch(std::uint64_t k) { return {k % 26, k * k % 26, 7, 25 - k % 13}; }

Tally of_launches(std::uint64_t from, std::uint64_t to, std::uint64_t units) {
    Tally tally = tally_of(coin, 100, units);
    for (std::uint64_t k = from; k < to; k++) {
        tally.add(launch(k));
    }
    return tally;
}

void expect_same(const Tally& a, const Tally& b) {
    EXPECT_TRUE(a.state().sums == b.state().sums);
    EXPECT_TRUE(a.state().least == b.state().least);
    EXPECT_TRUE(a.state().most == b.state().most);
    EXPECT_EQ(a.state().fingerprints.kept(), b.state().fingerprints.kept());
    EXPECT_EQ(a.state().parts.sums(), b.state().parts.sums());
}

/// Rows of five sums, of which the first two are traced.
class WideRows : public sample_estimand::Walks {
    std::size_t width() const override { return 5; }
    std::size_t traced() const override { return 2; }
    bench::Row row_of(std::span<const Count> published, const bench::LaunchSpec&) const override {
        return {published.begin(), published.end()};
    }
};

TEST(Tally, OfWideRowsKeepsTheTracedSumsAloneOfEachPointAndAsExtremes) {
    const WideRows wide;
    Tally tally(wide, {}), part = tally.empty(), resumed = tally.empty();
    tally.add(std::vector<Count>{10, 7, 3, 2, 1});
    part.add(std::vector<Count>{20, 5, 3, 2, 9});
    part.add(std::vector<Count>{30, 6, 3, 2, 9});
    tally.add(part);
    EXPECT_TRUE(tally.state().sums == (bench::Sums{3, {60, 18, 9, 6, 19}}));
    EXPECT_TRUE(tally.state().least == (bench::Row{10, 5}));
    EXPECT_TRUE(tally.state().most == (bench::Row{30, 7}));
    EXPECT_TRUE(tally.trace() == (std::vector<bench::Sums>{{1, {10, 7}}, {3, {60, 18}}}));
    resumed.restore(tally.state());
    for (Tally* one : {&tally, &resumed}) one->add(std::vector<Count>{1'000, 1, 1, 2, 3});
    expect_same(tally, resumed);
    EXPECT_TRUE(tally.trace() == resumed.trace());
}

constexpr std::uint64_t blocks = 4, launches = 1;

TEST(Tally, OfPartsIsThatOfAllLaunches) {
    for (const std::uint64_t units : {blocks, launches}) {
        Tally together = tally_of(coin, 100, units);
        together.add(of_launches(70, 100, units));
        together.add(of_launches(50, 50, units));
        together.add(of_launches(0, 1, units));
        together.add(of_launches(1, 70, units));
        const Tally all = of_launches(0, 100, units);
        expect_same(together, all);
        EXPECT_EQ(CountedHits(together).spread()->ratio, CountedHits(all).spread()->ratio);
        EXPECT_EQ(CountedHits(together).spread()->units, units * 100);
    }
}

TEST(Tally, TakesNoPartOfOtherLaunches) {
    Tally tally = tally_of(coin, 100, blocks);
    EXPECT_THROW(tally.add(tally_of({{1, 3}}, 100, blocks)), std::invalid_argument) << "another estimand";
    for (const auto change :
         {+[](bench::LaunchSpec& spec) { spec.work++; }, +[](bench::LaunchSpec& spec) { spec.seed++; },
          +[](bench::LaunchSpec& spec) { spec.published++; }, +[](bench::LaunchSpec& spec) { spec.iters++; }}) {
        bench::LaunchSpec spec = tally.spec();
        change(spec);
        EXPECT_THROW(tally.add(Tally(tally.estimand(), spec)), std::invalid_argument);
    }
    EXPECT_NO_THROW(tally.add(tally.empty()));
}

TEST(Tally, GoesOnAsIfItHadNeverStopped) {
    for (const std::uint64_t units : {blocks, launches}) {
        const Tally all = of_launches(0, 120, units);
        for (std::uint64_t stop = 0; stop <= 120; stop++) {
            Tally resumed = of_launches(3, 50, units);  // to be forgotten
            resumed.restore(of_launches(0, stop, units).state());
            for (std::uint64_t k = stop; k < 120; k++) {
                resumed.add(launch(k));
            }
            expect_same(resumed, all);
            EXPECT_EQ(points(resumed), points(all)) << "stopped after " << stop;
        }
    }
}

using Counts = std::vector<std::uint64_t>;

/// The samples at the points of the trace of so many launches.
Counts traced(std::uint64_t samples_per_launch, std::uint64_t launches) {
    Tally tally = tally_of(coin, samples_per_launch);
    add(tally, launches, samples_per_launch / 2);
    Counts samples;
    for (const bench::Sums& point : tally.trace()) samples.push_back(point.launches * samples_per_launch);
    return samples;
}

// 10^(1/8) to 10^(7/8): 1.33, 1.78, 2.37, 3.16, 4.22, 5.62, 7.50.
TEST(Trace, HasAPointWhereverAnEighthOfADecadeIsReachedAndAtTheEnd) {
    EXPECT_EQ(traced(1, 100), (Counts{1, 2, 3, 4, 5, 6, 8, 10, 14, 18, 24, 32, 43, 57, 75, 100}));
    EXPECT_EQ(traced(1000, 10), (Counts{1000, 2000, 3000, 4000, 5000, 6000, 8000, 10'000}));
    EXPECT_EQ(traced(90, 3), (Counts{90, 180, 270})) << "a launch that reaches several";
    EXPECT_EQ(traced(1, 7), (Counts{1, 2, 3, 4, 5, 6, 7})) << "the last launch";
    EXPECT_EQ(traced(123, 1), (Counts{123}));
    // Five decades with both ends; the same launch reaches 10^(33/8) and 10^(34/8).
    EXPECT_EQ(traced(10'000, 100'000).size(), 40u);
}

TEST(Trace, HasAPartAtMostOnceAndAtItsEnd) {
    Tally tally = tally_of(coin, 100, launches);
    Points expected;
    std::uint64_t hits = 0;
    for (std::uint64_t part = 1; part <= 10; part++) {
        tally.add(of_launches(10 * part, 10 * (part + 1), launches));
        tally.add(tally.empty());
        hits += CountedHits(of_launches(10 * part, 10 * (part + 1), launches)).outcome().hits;
        if (part != 7 && part != 9) {  // between 5,623 and 7,499, and 7,499 and 10,000
            expected.emplace_back(10 * part, hits);
        }
    }
    EXPECT_EQ(points(tally), expected);
}

// One sample less per launch: a double cannot tell the difference, and the tenth launch does not reach 10^18.
TEST(Trace, CountsEverySampleOfTheLargestRuns) {
    constexpr std::uint64_t tenth = 100'000'000'000'000'000;
    const auto multiples = [](std::uint64_t unit, const Counts& factors) {
        Counts products;
        for (const std::uint64_t factor : factors) {
            products.push_back(unit * factor);
        }
        return products;
    };
    EXPECT_EQ(traced(tenth, 12), multiples(tenth, {1, 2, 3, 4, 5, 6, 8, 10, 12}));
    EXPECT_EQ(traced(tenth - 1, 12), multiples(tenth - 1, {1, 2, 3, 4, 5, 6, 8, 11, 12}));
    EXPECT_EQ(traced(std::uint64_t{1} << 63, 1), (Counts{std::uint64_t{1} << 63}));
    Tally most = tally_of(coin, std::uint64_t{1} << 62);
    add(most, 2, Count{1} << 61);
    EXPECT_THROW(add(most, 1, Count{1} << 61), bench::VerdictError) << "more than 2^63 samples";
}

}  // namespace
