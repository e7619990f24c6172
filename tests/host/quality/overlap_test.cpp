// Streams of a short cycle against all ways of placing them on it.
#include "quality/overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

/// Of all placements of the starts of `streams` streams on a cycle: the share of streams that meet a state of another.
double share_by_placing(unsigned streams, unsigned draws, unsigned cycle) {
    double overlapping = 0, placements = 1;
    for (unsigned s = 0; s < streams; s++) {
        placements *= cycle;
    }
    for (unsigned placement = 0; placement < placements; placement++) {
        std::vector<std::vector<bool>> visited(streams, std::vector<bool>(cycle));
        unsigned digits = placement;
        for (auto& states : visited) {
            for (unsigned draw = 0; draw < draws; draw++) {
                states[(digits % cycle + draw) % cycle] = true;
            }
            digits /= cycle;
        }
        for (unsigned s = 0; s < streams; s++) {
            bool meets = false;
            for (unsigned other = 0; other < streams; other++) {
                for (unsigned state = 0; state < cycle; state++) {
                    meets = meets || (other != s && visited[s][state] && visited[other][state]);
                }
            }
            overlapping += meets ? 1 : 0;
        }
    }
    return overlapping / (streams * placements);
}

TEST(Overlap, IsTheMeanOverAllPlacements) {
    for (const auto& [streams, draws, cycle] : {std::array{2u, 1u, 5u},
                                                {2u, 2u, 7u},
                                                {3u, 2u, 7u},
                                                {4u, 2u, 9u},
                                                {3u, 4u, 20u},
                                                {3u, 3u, 5u},
                                                {2u, 5u, 6u},
                                                {2u, 9u, 6u}}) {
        EXPECT_NEAR(quality::overlap(streams, draws, cycle).overlapping, share_by_placing(streams, draws, cycle), 1e-12)
            << streams << " streams of " << draws << " draws, cycle " << cycle;
    }
}

TEST(Overlap, OfAFewShortStreamsIsNotLostInRounding) {
    const quality::Overlap o = quality::overlap(64, 4, 0x1p32);
    EXPECT_NEAR(o.overlapping / (63 * 7 * 0x1p-32), 1, 1e-6);
}

TEST(Overlap, SaysWhatItIsOf) {
    const quality::Overlap o = quality::overlap(1 << 20, 1000, 0x1p32);
    EXPECT_EQ(o.streams, 1u << 20);
    EXPECT_EQ(o.draws, 1000u);
    EXPECT_EQ(o.cycle_draws, 0x1p32);
    EXPECT_DOUBLE_EQ(o.times_round, 1000 / 4096.0);
}

}  // namespace
