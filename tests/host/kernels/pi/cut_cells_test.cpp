// The cells of v15 and v18: where the arc cuts, and that to decide by cells is to decide by the words.
#include "kernels/pi/device/cut_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "kernels/pi/device/expectations.hpp"
#include "kernels/pi/device/hit.cuh"

namespace {

using pi::Cell;
using pi::Place;
using pi::place_of;
using pi::slots;
using CellSet = std::set<std::pair<unsigned, unsigned>>;

CellSet grid(unsigned level) {
    CellSet cells;
    for (unsigned x = 0; x < 1u << level; x++) {
        for (unsigned y = 0; y < 1u << level; y++) {
            cells.emplace(x, y);
        }
    }
    return cells;
}

/// Cells of a sample that reaches the level: all of the first one, then the quarters of those cut before.
CellSet reached(unsigned level) {
    if (level == pi::first_level) {
        return grid(level);
    }
    CellSet cells;
    for (const Cell& cut : slots(level - 1)) {
        for (unsigned quarter = 0; quarter < 4; quarter++) {
            cells.emplace(2 * cut.x + quarter / 2, 2 * cut.y + quarter % 2);
        }
    }
    return cells;
}

/// Those of `cells` that place_of puts at `place`.
CellSet at(Place place, const CellSet& cells, unsigned level) {
    CellSet there;
    for (const auto& [x, y] : cells) {
        if (place_of({x, y}, level) == place) {
            there.emplace(x, y);
        }
    }
    return there;
}

class EveryLevel : public testing::TestWithParam<unsigned> {
 protected:
    const unsigned level = GetParam();
    const unsigned side = 1u << level;
};

/// Height of the arc of radius `side` over x, in cells. No root of a whole number is so close to another one that a double
/// errs.
double height(unsigned side, unsigned x) { return std::sqrt(static_cast<double>(side * side - x * x)); }

TEST_P(EveryLevel, PlacesFollowTheArcButForOneCellInside) {
    const std::pair padding(side / 4 - 1, 7 * side / 8 - 1);
    for (const auto& [x, y] : grid(level)) {
        const bool inside = y + 1 <= height(side, x + 1), outside = y >= height(side, x);
        if (std::pair(x, y) == padding) {
            EXPECT_TRUE(inside);
            EXPECT_EQ(place_of({x, y}, level), Place::cut);
        } else {
            EXPECT_EQ(place_of({x, y}, level), inside    ? Place::inside
                                               : outside ? Place::outside
                                                         : Place::cut)
                << x << ", " << y;
        }
    }
}

TEST_P(EveryLevel, NoCornerInTheSquareIsOnTheArc) {
    for (unsigned x = 1; x < side; x++) {
        EXPECT_NE(height(side, x), std::floor(height(side, x))) << x;
    }
}

TEST_P(EveryLevel, SlotsAreTheCutCellsOnceEach) {
    CellSet cells;
    for (const Cell& cell : slots(level)) {
        cells.emplace(cell.x, cell.y);
    }
    EXPECT_EQ(slots(level).size(), 2u << level);
    EXPECT_EQ(cells.size(), 2u << level);
    EXPECT_EQ(cells, at(Place::cut, grid(level), level));
}

// So that a sample that is cut is in each slot alike.
TEST_P(EveryLevel, IsReachedInAllItsCutCells) {
    EXPECT_EQ(at(Place::cut, reached(level), level), at(Place::cut, grid(level), level));
    EXPECT_EQ(reached(level).size(), level == pi::first_level ? 64u : 4u << level);
    EXPECT_EQ(at(Place::cut, reached(level), level).size(), 2u << level);
}

// folded_hit falls, if ever, as a coordinate rises: its roundings are monotonic.
TEST_P(EveryLevel, DecidesAsTheFoldedRuleDoesForEveryWord) {
    const unsigned width = 1u << (32 - level);
    for (const auto& [x, y] : at(Place::inside, reached(level), level)) {
        EXPECT_EQ(pi::folded_hit(x * width + (width - 1), y * width + (width - 1)), 1u) << x << ", " << y;
    }
    for (const auto& [x, y] : at(Place::outside, reached(level), level)) {
        EXPECT_EQ(pi::folded_hit(x * width, y * width), 0u) << x << ", " << y;
    }
}

INSTANTIATE_TEST_SUITE_P(Grid, EveryLevel, testing::Range(pi::first_level, pi::last_level + 1));

TEST(Levels, LeaveTheExactProbabilityBetweenWhatIsInsideAndWhatIsCut) {
    const double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;
    double inside = 0;
    for (unsigned level = pi::first_level; level <= pi::last_level; level++) {
        const double cells = std::ldexp(1, 2 * static_cast<int>(level));
        inside += static_cast<double>(at(Place::inside, reached(level), level).size()) / cells;
        const double cut = static_cast<double>(at(Place::cut, reached(level), level).size()) / cells;
        EXPECT_GT(p, inside) << level;
        EXPECT_LT(p, inside + cut) << level;
    }
}

}  // namespace
