// Blocks that publish the same in every launch: the fingerprints of the parts of a tally.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "bench/errors.hpp"
#include "bench/estimands/chance/launches.hpp"
#include "bench/estimands/means/means.hpp"
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
                             .published = blocks * bench::columns_of(1),
                             .work = blocks * of_block});
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
    for (const Tally& tally : {hits(0, 8, 0), sums(0, 8, 0), hits(0, 7, 1), sums(0, 7, 1)}) {
        EXPECT_NO_THROW(bench::judge_parts(tally)) << "of few launches, or of none alike";
    }
}

TEST(Parts, AlikeInAllLaunchesButOneAreNotAlike) {
    Tally tally = hits(0, 20, 1);
    tally.add(hits_of(20, 0));
    EXPECT_NO_THROW(bench::judge_parts(tally));
}

// A program that was rebuilt goes on with the launches of another one, which hide its own, or which it hides.
TEST(Parts, AlikeBeforeOrAfterARunWasResumedAreFound) {
    for (const unsigned alike_before : {0, 1}) {
        Tally tally = hits(0, 8, alike_before);
        tally.restore(tally.state());
        for (std::uint64_t k = 8; k < 16; k++) tally.add(hits_of(k, 1 - alike_before));
        expect_found(tally);
    }
    Tally sound = hits(0, 8, 0);
    sound.restore(sound.state());
    for (std::uint64_t k = 8; k < 15; k++) sound.add(hits_of(k, 1));
    EXPECT_NO_THROW(bench::judge_parts(sound)) << "of few launches";
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

}  // namespace
