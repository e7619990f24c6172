// Every kernel of the lecture draws the samples that it promises: its replay gives the hits that numpy counted.
#include <gtest/gtest.h>

#include "bench/estimands/hits/source.hpp"
#include "kernels/lecture/versions.hpp"
#include "tests/lecture_hits.hpp"

namespace {

TEST(Lecture, ReplaysGiveTheHitsOfEachNumberOfSamples) {
    ASSERT_EQ(lecture::versions().size(), 3u);
    for (const bench::Step* step : lecture::versions()) {
        std::uint64_t hits = 0, sample = 0;
        for (const LectureHits& golden : lecture_hits) {
            for (; sample < golden.samples; sample++) {
                hits += bench::source_of(*step).replay({1234, 0, golden.samples, sample}, 1);
            }
            EXPECT_EQ(hits, golden.hits) << step->name << ", " << golden.samples << " samples";
        }
    }
}

TEST(Lecture, AThreadDrawsOneSampleAndALaunchTwoToThe24) {
    for (const bench::Step* step : lecture::versions()) {
        EXPECT_EQ(step->default_iters, 1u) << step->name;
        EXPECT_EQ(step->most_iters, 1u) << step->name;
        EXPECT_EQ(bench::total_threads({step->default_blocks, step->default_threads}), 1u << 24) << step->name;
    }
}

}  // namespace
