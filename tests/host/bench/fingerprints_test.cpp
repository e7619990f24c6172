// Launches with the same counts are found.
#include "bench/fingerprints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using bench::Count;
using bench::Fingerprints;

Fingerprints of_launches(std::uint64_t first, std::uint64_t end) {
    Fingerprints prints;
    for (std::uint64_t k = first; k < end; k++) prints.add(bench::fingerprint_of(std::vector<Count>{k, 2 * k, 7}));
    return prints;
}

TEST(Fingerprints, OfDifferentCountsAreDifferent) {
    EXPECT_EQ(of_launches(0, 500).repeats(), 0u);
    Fingerprints prints;
    for (const std::vector<Count>& counts : {std::vector<Count>{}, {0}, {0, 0}, {1}, {0, 1}, {1, 0}, {1, 1}}) {
        prints.add(bench::fingerprint_of(counts));
    }
    EXPECT_EQ(prints.repeats(), 0u);
}

// Some words apart, because a fingerprint takes several words at once.
TEST(Fingerprints, DependOnTheOrderOfTheCounts) {
    const std::vector<Count> counts = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (std::size_t i = 0; i < counts.size(); i++) {
        for (std::size_t j = 0; j < i; j++) {
            std::vector<Count> exchanged = counts;
            std::swap(exchanged[i], exchanged[j]);
            EXPECT_NE(bench::fingerprint_of(exchanged), bench::fingerprint_of(counts)) << i << " and " << j;
        }
    }
}

TEST(Fingerprints, OfTheSameCountsAreTheSame) {
    Fingerprints prints = of_launches(0, 100);
    prints.add(bench::fingerprint_of(std::vector<Count>{40, 80, 7}));
    EXPECT_EQ(prints.repeats(), 1u);
    prints.add(bench::fingerprint_of(std::vector<Count>{40, 80, 7}));
    EXPECT_EQ(prints.repeats(), 2u);
}

TEST(Fingerprints, DoNotDependOnWhoAddedTheLaunches) {
    const Fingerprints all = of_launches(0, 40'000);
    EXPECT_EQ(all.kept().size(), Fingerprints::most);
    const auto kept = all.kept();
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    Fingerprints together = of_launches(30'000, 40'000);
    together.merge(of_launches(10, 30'000).kept());
    together.merge(of_launches(0, 10).kept());
    EXPECT_EQ(together.kept(), all.kept());
}

TEST(Fingerprints, KeepLaunchesWithTheSameCountsTogether) {
    Fingerprints twice = of_launches(0, 40'000);
    twice.merge(of_launches(0, 40'000).kept());
    EXPECT_EQ(twice.kept().size(), Fingerprints::most);
    EXPECT_EQ(twice.repeats(), Fingerprints::most / 2);
}

}  // namespace
