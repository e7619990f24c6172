// Blocks that publish the same in every launch: the fingerprints of the parts of a tally.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "bench/errors.hpp"
#include "bench/estimands/chance/launches.hpp"
#include "bench/estimands/means/means.hpp"
#include "bench/record/checkpoint.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::Count;
using bench::Tally;

constexpr unsigned blocks = 64, columns = 6;
constexpr std::uint64_t of_block = 10'000;

/// Launch k: `alike` blocks, the last ones, publish what block 3 does.
std::vector<Count> hits_of(std::uint64_t k, unsigned alike, std::uint64_t samples = of_block) {
    std::mt19937_64 words(k);
    std::binomial_distribution<Count> hits(samples, 0.5);
    std::vector<Count> counts(blocks);
    for (Count& count : counts) count = hits(words);
    for (unsigned i = 0; i < alike; i++) counts[blocks - 1 - i] = counts[3];
    return counts;
}

std::vector<Count> sums_of(std::uint64_t k, unsigned alike) {
    std::mt19937_64 words(k);
    std::normal_distribution<double> normal(0, 100 * 4096.0);  // of 10,000 numbers with the unit 2^-12
    std::vector<Count> counts(blocks * columns);
    for (unsigned block = 0; block < blocks; block++) {
        const Count of_columns[columns] = {
            of_block, 0, of_block / 2, (of_block << 22) + static_cast<Count>(normal(words)), of_block << 24, 0};
        for (unsigned c = 0; c < columns; c++) counts[c * blocks + block] = of_columns[c];
    }
    for (unsigned i = 0; i < alike; i++) {
        for (unsigned c = 0; c < columns; c++) counts[c * blocks + blocks - 1 - i] = counts[c * blocks + 3];
    }
    return counts;
}

Tally empty_of_hits(std::uint64_t samples = of_block) {
    return sample_tallies::tally_of({{1, 2}}, blocks * samples, blocks);
}

Tally empty_of_sums() {
    static const auto estimand = bench::means({.quantity = "mean",
                                               .number = "numbers",
                                               .unit_one = "number",
                                               .unit_many = "numbers",
                                               .generator = "by hand",
                                               .soundness = bench::Soundness::sound,
                                               .statistics = {{"value", 12, {0}, bench::Expected{1}}}});
    return Tally(*estimand, {.seed = 1,
                             .shape = {blocks, 100},
                             .iters = of_block / 100,
                             .streams = blocks * 100,
                             .counts = blocks * bench::columns_of(1),
                             .per_launch = blocks * of_block});
}

void expect_found(const Tally& tally,
                  const std::string& words = "blocks 3 and 63 published the same in all of 8 launches") {
    try {
        bench::judge_parts(tally);
        ADD_FAILURE() << "passed";
    } catch (const bench::VerdictError& error) {
        EXPECT_EQ(error.what(), words);
    }
}

Tally hits(std::uint64_t from, std::uint64_t to, unsigned alike, std::uint64_t samples = of_block) {
    Tally tally = empty_of_hits(samples);
    for (std::uint64_t k = from; k < to; k++) tally.add(hits_of(k, alike, samples));
    return tally;
}

Tally sums(std::uint64_t from, std::uint64_t to, unsigned alike) {
    Tally tally = empty_of_sums();
    for (std::uint64_t k = from; k < to; k++) {
        auto counts = sums_of(k, alike);
        counts.resize(blocks * bench::columns_of(1));
        tally.add(counts);
    }
    return tally;
}

TEST(Parts, AlikeInAllOfEightLaunchesAreFound) {
    expect_found(hits(0, 8, 1));
    expect_found(sums(0, 8, 1));
    EXPECT_THROW(hits(0, 8, 1).estimand().judge(hits(0, 8, 1)), bench::VerdictError);
    EXPECT_NO_THROW(bench::judge_parts(hits(0, 8, 0)));
    EXPECT_NO_THROW(bench::judge_parts(sums(0, 8, 0)));
}

TEST(Parts, AreNotJudgedBeforeTheEighth) {
    EXPECT_NO_THROW(bench::judge_parts(hits(0, 7, 1)));
    EXPECT_NO_THROW(bench::judge_parts(sums(0, 7, 1)));
}

TEST(Parts, AlikeInAllLaunchesButOneAreNotAlike) {
    Tally tally = hits(0, 20, 1);
    tally.add(hits_of(20, 0));
    EXPECT_NO_THROW(bench::judge_parts(tally));
}

// Counts of warps have few values, so the same ones in another order are no wonder.
TEST(Parts, WithTheSameCountsInOtherLaunchesAreNotAlike) {
    Tally tally = empty_of_hits();
    for (std::uint64_t k = 0; k < 20; k += 2) {
        auto first = hits_of(k, 0), second = hits_of(k + 1, 0);
        first[63] = second[3];
        second[63] = first[3];
        tally.add(first);
        tally.add(second);
    }
    EXPECT_NO_THROW(bench::judge_parts(tally));
}

// Two blocks of 32 samples have the same hits in one launch of 10: in 8 launches 1 pair of 10^8.
TEST(Parts, ThatMayBeAlikeByChanceAreNotJudged) { EXPECT_NO_THROW(bench::judge_parts(hits(0, 8, 1, 32))); }

TEST(Parts, AreFoundAfterAResume) {
    for (const bool of_hits : {true, false}) {
        const Tally before = of_hits ? hits(0, 5, 1) : sums(0, 5, 1), after = of_hits ? hits(5, 8, 1) : sums(5, 8, 1);
        bench::Checkpoint checkpoint;
        checkpoint.work_per_launch = before.work().per_launch;
        checkpoint.launches = 8;
        checkpoint.tally = before.state();
        Tally resumed = before.empty();
        resumed.restore(bench::parse_checkpoint("file", to_text(checkpoint)).tally);
        EXPECT_NO_THROW(bench::judge_parts(resumed));
        resumed.add(after);
        expect_found(resumed);
    }
}

TEST(Parts, OfATeamAreThoseOfAllItsLaunches) {
    Tally team = hits(0, 3, 1);
    team.add(hits(6, 8, 1));
    team.add(empty_of_hits());
    team.add(hits(3, 6, 1));
    expect_found(team);
    Tally one_is_right = hits(0, 4, 1);
    one_is_right.add(hits(4, 8, 0));
    EXPECT_NO_THROW(bench::judge_parts(one_is_right));
}

// Each stream has as many hits as its number and the launch's say; a lane of 32 of them has no other.
std::uint64_t hits_of_stream(const bench::StreamId& stream, unsigned iters) {
    return (stream.thread * 31 + stream.launch * 17 + stream.seed) % 97 % (iters + 1);
}

std::uint64_t hits_of_launch(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples) {
    return (seed * 5 + launch * 3) % 1000 + samples / 2;
}

bench::Work work_of_hits(std::uint64_t counts) {
    return {.seed = 4, .shape = {6, 32}, .iters = 1000, .streams = 6 * 32, .counts = counts};
}

std::vector<Count> replayed_counts(std::uint64_t counts, unsigned iters) {
    std::vector<Count> all(counts);
    for (unsigned t = 0; t < 6 * 32; t++) {
        all[t * counts / (6 * 32)] += hits_of_stream({4, bench::rehearsed_launch, 6 * 32, t}, iters);
    }
    return all;
}

TEST(HitsRehearsal, FindsAWrongCount) {
    bench::Source source = {"coin", "by hand", bench::Soundness::sound, {1, 2}, 100};
    source.replay = hits_of_stream;
    for (const std::uint64_t counts : {1u, 6u, 12u}) {
        const auto estimand = bench::hits({.source = source});
        const auto rehearsal = estimand->rehearsal(work_of_hits(counts), nullptr);
        ASSERT_TRUE(rehearsal);
        EXPECT_EQ(rehearsal->parts, std::min<std::uint64_t>(counts, 6));
        EXPECT_LE(rehearsal->iters, 1000u);
        const auto right = replayed_counts(counts, rehearsal->iters);
        for (std::uint64_t wrong = 0; wrong <= counts; wrong++) {  // the last one: none
            auto published = right;
            if (wrong < counts) published[wrong]++;
            for (std::size_t part = 0; part < rehearsal->parts; part++) {
                const bool is_here = wrong < counts && wrong * rehearsal->parts / counts == part;
                EXPECT_EQ(rehearsal->difference(part, published).empty(), !is_here) << part << ", " << wrong;
            }
        }
        auto published = right;
        published[0] = bench::unwritten;
        EXPECT_NE(rehearsal->difference(0, published).find("not written"), std::string::npos);
    }
}

TEST(HitsRehearsal, OfALaunchAsAWholeIsOfItsSum) {
    bench::Source source = {"coin", "by hand", bench::Soundness::sound, {1, 2}, 100};
    EXPECT_FALSE(bench::hits({.source = source})->rehearsal(work_of_hits(1), nullptr));
    source.replay_launch = hits_of_launch;
    const auto estimand = bench::hits({.source = source});
    const auto rehearsal = estimand->rehearsal(work_of_hits(1), nullptr);
    ASSERT_TRUE(rehearsal);
    const Count hits = hits_of_launch(4, bench::rehearsed_launch, 6 * 32 * std::uint64_t{rehearsal->iters});
    EXPECT_EQ(rehearsal->difference(0, std::vector<Count>{hits}), "");
    EXPECT_NE(rehearsal->difference(0, std::vector<Count>{hits - 1}), "");
}

}  // namespace
