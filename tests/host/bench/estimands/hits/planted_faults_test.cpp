// Planted faults of kernels and of the harness. The verdict must find each of them, whatever the samples depend on, and
// accept runs without a fault.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/hits/hits.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::Count;
using bench::Independent;
using bench::Law;
using bench::Tally;
using sample_tallies::tally_of;

constexpr std::uint64_t blocks = 64, warps = 8, samples_of_warp = 32'000'000;
constexpr std::uint64_t samples_of_block = warps * samples_of_warp, samples_of_launch = blocks * samples_of_block;
constexpr bench::Expectation quarter_circle = {14488039784235215844u, 18446744073709551616.0};
const double p = static_cast<double>(quarter_circle.count) / quarter_circle.total;

constexpr Law independent = {quarter_circle};
constexpr Law in_fours = {quarter_circle, Independent::counts, 4};  // every throw counts four times
constexpr Law point_set = {quarter_circle, Independent::launches};

/// Draws the hits of one warp.
Count hits_of_warp(const Law& law, std::mt19937_64& random) {
    if (law.independent == Independent::launches) {
        return static_cast<Count>(samples_of_warp * p + std::uniform_real_distribution(-9.5, 10.5)(random));
    }
    const auto copies = static_cast<std::uint64_t>(law.variance_ratio);
    return copies * std::binomial_distribution<std::uint64_t>(samples_of_warp / copies, p)(random);
}

enum class Fault {
    none,
    dropped_warp,
    warp_dropped_everywhere,
    dropped_block,
    dropped_launch,
    block_counted_twice,
    every_launch_alike,
    every_launch_twice,
    launch_repeated,
    blocks_alike,
    warps_alike
};

/// The counts of launch `index`, without a fault or with one inside the launch.
std::vector<Count> drawn(const Law& law, std::uint64_t seed, std::uint64_t index, Fault fault) {
    std::mt19937_64 random(seed * 1'000'003 + index);
    std::vector<Count> counts;
    for (std::uint64_t block = 0; block < blocks; block++) {
        Count count = 0, first = 0;
        for (std::uint64_t warp = 0; warp < warps; warp++) {
            const Count hits = hits_of_warp(law, random);
            first = warp == 0 ? hits : first;
            const bool dropped = warp == 5 && (fault == Fault::warp_dropped_everywhere ||
                                               (fault == Fault::dropped_warp && block == 7 && index == 0));
            count += dropped ? 0 : fault == Fault::warps_alike ? first : hits;
        }
        counts.push_back(fault == Fault::blocks_alike && block > 0 ? counts[0] : count);
    }
    return counts;
}

/// The counts of a launch that is requested as number `index`.
std::vector<Count> published(const Law& law, std::uint64_t seed, std::uint64_t index, Fault fault) {
    if (fault == Fault::every_launch_alike) index = 0;
    if (fault == Fault::every_launch_twice) index /= 2;
    if (fault == Fault::launch_repeated && index == 1) index = 0;
    std::vector<Count> counts = drawn(law, seed, index, fault);
    if (index == 0 && fault == Fault::dropped_block) counts[7] = 0;
    if (index == 0 && fault == Fault::block_counted_twice) counts[7] *= 2;
    if (index == 0 && fault == Fault::dropped_launch) counts.assign(blocks, 0);
    return counts;
}

Tally empty_tally(const Law& law) { return tally_of(law, samples_of_launch, blocks); }

Tally counted(const Law& law, std::uint64_t seed, std::uint64_t launches, Fault fault) {
    Tally tally = empty_tally(law);
    for (std::uint64_t k = 0; k < launches; k++) tally.add(published(law, seed, k, fault));
    return tally;
}

/// The line of the verdict's error; empty if it passes.
std::string refusal(const std::function<Tally()>& count) {
    try {
        const Tally tally = count();
        tally.estimand().judge(tally);
        return "";
    } catch (const bench::VerdictError& error) {
        return error.what();
    }
}

void expect_found(const Law& law, Fault fault, std::uint64_t launches, const std::string& reason) {
    for (std::uint64_t seed = 0; seed < 3; seed++) {
        const std::string line = refusal([&] { return counted(law, seed, launches, fault); });
        EXPECT_NE(line, "") << "passed: fault " << static_cast<int>(fault);  // where no reason is given too
        EXPECT_NE(line.find(reason), std::string::npos) << launches << " launches: '" << line << "' lacks " << reason;
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
}

class PlantedFaults : public testing::TestWithParam<Law> {};

// --profile has one launch.
TEST_P(PlantedFaults, InsideOfALaunchAreFoundInItHoweverManyFollow) {
    for (const std::uint64_t launches : {1u, 10u, 16u, 24u}) {
        expect_found(GetParam(), Fault::dropped_warp, launches, "count 7 of 64");
        expect_found(GetParam(), Fault::warp_dropped_everywhere, launches, "count 0 of 64");
        expect_found(GetParam(), Fault::dropped_block, launches, "count 7 of 64: 0 hits");
        expect_found(GetParam(), Fault::dropped_launch, launches, "count 0 of 64: 0 hits");
        expect_found(GetParam(), Fault::block_counted_twice, launches, "");
    }
}

TEST_P(PlantedFaults, RepeatedLaunchesAreFound) {
    for (const std::uint64_t launches : {2u, 10u, 16u, 24u, 600u}) {
        expect_found(GetParam(), Fault::every_launch_alike, launches, "");
        expect_found(GetParam(), Fault::every_launch_twice, launches, "");
    }
    const std::uint64_t many = GetParam().independent == Independent::launches ? 200 : 1'000;
    for (const std::uint64_t launches : {std::uint64_t{2}, std::uint64_t{10}, std::uint64_t{24}, many}) {
        expect_found(GetParam(), Fault::launch_repeated, launches, "published the same counts as another one");
    }
}

TEST_P(PlantedFaults, WhereThereIsNoneTheVerdictPasses) {
    for (std::uint64_t seed = 0; seed < 40; seed++) {
        for (const std::uint64_t launches : {1u, 2u, 10u, 16u, 24u}) {
            EXPECT_EQ(refusal([&] { return counted(GetParam(), seed, launches, Fault::none); }), "")
                << launches << " launches of seed " << seed;
        }
    }
    EXPECT_EQ(refusal([&] { return counted(GetParam(), 77, 1'000, Fault::none); }), "");
}

std::string name_of(const testing::TestParamInfo<Law>& info) {
    const char* names[] = {"OfIndependentSamples", "OfIndependentCounts", "OfIndependentLaunches"};
    return names[info.index];
}
INSTANTIATE_TEST_SUITE_P(Verdict, PlantedFaults, testing::Values(independent, in_fours, point_set), name_of);

// The blocks of a launch draw the same numbers, or the warps of a block do: the sums are right but vary more.
TEST(PlantedFault, StreamsThatAreAlikeShowInTheVariance) {
    for (const Law& law : {independent, in_fours}) {
        expect_found(law, Fault::blocks_alike, 24, "");
        expect_found(law, Fault::warps_alike, 1, "variance of the hits of 64 blocks");
    }
}

// A step publishes one count per launch: only the variance of launches shows the fault.
TEST(PlantedFault, LaunchesThatAreAlikeShowInASingleCount) {
    for (const std::uint64_t launches : {16u, 100u}) {
        Tally tally = tally_of(independent, samples_of_launch);
        const auto hits = static_cast<Count>(samples_of_launch * p);
        for (std::uint64_t k = 0; k < launches; k++) tally.add(std::vector<Count>{hits + 100});
        EXPECT_NE(refusal([&] { return tally; }).find("launches is 0 times the exact one"), std::string::npos);
    }
}

// Single counts of so few samples are sometimes equal by chance, but not twice as often as expected.
TEST(PlantedFault, RepeatsShowAmongThoseThatChanceExplains) {
    constexpr std::uint64_t samples = 1'000'000'000'000;  // a standard deviation of 410,000 hits
    const auto drawn_tally = [](std::uint64_t launches, bool twice) {
        Tally tally = tally_of(independent, samples);
        std::mt19937_64 random(7);
        Count hits = 0;
        for (std::uint64_t k = 0; k < launches; k++) {
            if (k % 2 == 0 || !twice) hits = std::binomial_distribution<std::uint64_t>(samples, p)(random);
            tally.add(std::vector<Count>{hits});
        }
        return tally;
    };
    EXPECT_EQ(refusal([&] { return drawn_tally(20'000, false); }), "");
    EXPECT_NE(refusal([&] { return drawn_tally(20'000, true); }).find("published the same counts"), std::string::npos);
}

// For point sets the binomial variance is only a bound. One launch that is off by 9 binomial standard deviations, among
// launches that vary far less, is hidden neither by the mean nor by the spread that it causes.
TEST(PlantedFault, APointSetFarFromTheOthersIsFound) {
    for (const std::uint64_t launches : {16u, 24u, 100u}) {
        Tally tally = empty_tally(point_set);
        for (std::uint64_t k = 0; k < launches; k++) {
            std::vector<Count> counts = published(point_set, 5, k, Fault::none);
            if (k == 3) {
                for (Count& count : counts) count -= 7'500;  // 9.1 binomial sd of a launch, 1.1 of a count
            }
            tally.add(counts);
        }
        EXPECT_NE(refusal([&] { return tally; }).find("far outside the others"), std::string::npos)
            << launches << ": " << refusal([&] { return tally; });
    }
}

}  // namespace
