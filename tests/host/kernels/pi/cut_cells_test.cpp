// The cells of v15 and v18 and the pieces of v19 to v23: where the arc cuts, and that to decide by cells is to decide by the words.
#include "kernels/pi/shared/cut_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "tests/grid_choices.hpp"

namespace {

using pi::Cell;
using pi::Grid;
using pi::Place;

/// Cells, or pieces of the octant.
using Pieces = std::multiset<std::pair<unsigned, unsigned>>;

/// A grid, and the cells that its pieces are.
struct Pieced {
    const char* name;
    const Grid& grid;
    Pieces (*cells)(Cell piece);
};

Pieces itself(Cell cell) { return {{cell.x, cell.y}}; }

Pieces mirrored(Cell piece) {
    const auto [x, y] = piece;
    return x == y ? Pieces{{2 * x, 2 * x}, {2 * x + 1, 2 * x + 1}} : Pieces{{x, y}, {y, x}};
}

const Pieced square = {"square", pi::square, itself};
const Pieced deep_octant = {"deep_octant", pi::deep_octant, mirrored};

Pieces cells_of(const Pieced& pieced, const Pieces& pieces) {
    Pieces cells;
    for (const auto& [x, y] : pieces) {
        cells.merge(pieced.cells({x, y}));
    }
    return cells;
}

Pieces as_pieces(const std::vector<Cell>& cells) {
    Pieces pieces;
    for (const Cell& cell : cells) {
        pieces.emplace(cell.x, cell.y);
    }
    return pieces;
}

Pieces quarters(const Grid& grid, const Pieces& pieces) {
    Pieces found;
    for (const auto& [x, y] : pieces) {
        for (unsigned bits = 0; bits < 4; bits++) {
            const Cell quarter = grid.quarter({x, y}, bits);
            found.emplace(quarter.x, quarter.y);
        }
    }
    return found;
}

/// Pieces of a sample that reaches the level.
Pieces reached(const Grid& grid, unsigned level) { return as_pieces(choices(grid, level)); }

/// All pieces of a level, once for each choice of bits that leads there.
Pieces all(const Grid& grid, unsigned level) {
    return level == pi::first_level ? reached(grid, level) : quarters(grid, all(grid, level - 1));
}

/// Those of `pieces` that the grid puts at `place`.
Pieces at(Place place, const Grid& grid, const Pieces& pieces, unsigned level) {
    Pieces there;
    std::copy_if(pieces.begin(), pieces.end(), std::inserter(there, there.end()), [&](const auto& piece) {
        return grid.place_of({piece.first, piece.second}, level) == place;
    });
    return there;
}

/// The cells of a level.
Pieces whole_square(unsigned level) {
    Pieces cells;
    for (unsigned x = 0; x < 1u << level; x++) {
        for (unsigned y = 0; y < 1u << level; y++) {
            cells.emplace(x, y);
        }
    }
    return cells;
}

/// Height of the arc of radius `side` over x, in cells. No root of a whole number is so close to another one that a double
/// errs.
double height(unsigned side, unsigned x) { return std::sqrt(static_cast<double>(side * side - x * x)); }

/// Where the arc leaves a cell.
Place place_by_arc(std::pair<unsigned, unsigned> cell, unsigned level) {
    const unsigned side = 1u << level;
    const auto [x, y] = cell;
    return y + 1 <= height(side, x + 1) ? Place::inside : y >= height(side, x) ? Place::outside : Place::cut;
}

TEST(Arc, MeetsNoCornerInTheSquare) {
    for (unsigned level = pi::first_level; level <= pi::deep_octant.last_level; level++) {
        for (unsigned x = 1; x < 1u << level; x++) {
            EXPECT_NE(height(1u << level, x), std::floor(height(1u << level, x))) << level << ": " << x;
        }
    }
}

class EveryLevel : public testing::TestWithParam<std::tuple<Pieced, unsigned>> {
 protected:
    const Pieced& pieced = std::get<0>(GetParam());
    const Grid& grid = pieced.grid;
    const unsigned level = std::get<1>(GetParam());

    Pieces cells_of(const Pieces& pieces) const { return ::cells_of(pieced, pieces); }
    Pieces at(Place place, const Pieces& pieces) const { return ::at(place, grid, pieces, level); }
};

// All pieces are as many cells, so each choice has the same area.
TEST_P(EveryLevel, ChoicesCoverTheSquareOnce) { EXPECT_EQ(cells_of(all(grid, level)), whole_square(level)); }

TEST_P(EveryLevel, QuartersCoverTheirPiece) {
    for (const auto& piece : all(grid, level)) {
        EXPECT_EQ(cells_of(quarters(grid, {piece})), quarters(pi::square, cells_of({piece})))
            << piece.first << ", " << piece.second;
    }
}

// The cell inside that counts as cut lies left of the diagonal. The octant has no such piece.
TEST_P(EveryLevel, PlacesFollowTheArcButForOneCellInside) {
    const unsigned side = 1u << level;
    const std::pair padding(side / 4 - 1, 7 * side / 8 - 1);
    for (const auto& piece : all(grid, level)) {
        std::set<Place> places;
        for (const auto& cell : cells_of({piece})) {
            places.insert(place_by_arc(cell, level));
        }
        const Place place = grid.place_of({piece.first, piece.second}, level);
        if (piece == padding) {
            EXPECT_EQ(places, std::set{Place::inside});
            EXPECT_EQ(place, Place::cut);
        } else {
            EXPECT_EQ(place, places.size() == 1 ? *places.begin() : Place::cut) << piece.first << ", " << piece.second;
        }
    }
}

TEST_P(EveryLevel, SlotsAreTheCutPiecesOnceEach) {
    const Pieces cut = as_pieces(grid.slots(level));
    EXPECT_EQ(cut, at(Place::cut, all(grid, level)));
    EXPECT_TRUE(std::has_single_bit(cut.size()));
    EXPECT_EQ(cells_of(cut).size(), 2u << level);
}

// So that a sample that is cut is in each slot alike.
TEST_P(EveryLevel, IsReachedInAllItsCutPieces) {
    EXPECT_EQ(at(Place::cut, reached(grid, level)), at(Place::cut, all(grid, level)));
}

// folded_hit falls, if ever, as a coordinate rises: its roundings are monotonic.
TEST_P(EveryLevel, DecidesAsTheFoldedRuleDoesForEveryWord) {
    const unsigned width = 1u << (32 - level);
    for (const auto& [x, y] : cells_of(at(Place::inside, reached(grid, level)))) {
        EXPECT_EQ(pi::folded_hit(x * width + (width - 1), y * width + (width - 1)), 1u) << x << ", " << y;
    }
    for (const auto& [x, y] : cells_of(at(Place::outside, reached(grid, level)))) {
        EXPECT_EQ(pi::folded_hit(x * width, y * width), 0u) << x << ", " << y;
    }
}

// v19's levels are the first of v20.
const auto name_of = [](const auto& info) {
    return std::string(std::get<0>(info.param).name) + "_" + std::to_string(std::get<1>(info.param));
};
INSTANTIATE_TEST_SUITE_P(Square, EveryLevel, testing::Combine(testing::Values(square), testing::Range(3u, 9u)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Octant, EveryLevel, testing::Combine(testing::Values(deep_octant), testing::Range(3u, 11u)),
                         name_of);

/// Of the cells in which samples are tested, the one that the arc does not cut.
std::pair<unsigned, unsigned> added_cell(const Grid& grid) {
    Pieces cut = whole_square(grid.last_level);
    std::erase_if(cut, [&](const auto& cell) { return place_by_arc(cell, grid.last_level) != Place::cut; });
    const Pieces last = as_pieces(grid.last_cells());
    EXPECT_TRUE(std::includes(last.begin(), last.end(), cut.begin(), cut.end()));
    Pieces added;
    std::set_difference(last.begin(), last.end(), cut.begin(), cut.end(), std::inserter(added, added.end()));
    EXPECT_EQ(added.size(), 1u);
    return *added.begin();
}

TEST(LastCells, AreThoseThatTheArcCutsAndOneMore) {
    EXPECT_EQ(added_cell(pi::square), std::pair(63u, 223u));
    for (const Grid* grid : {&pi::octant, &pi::deep_octant}) {
        const auto [x, y] = added_cell(*grid);
        EXPECT_EQ(x, y);
    }
}

TEST(Levels, LeaveTheExactProbabilityBetweenWhatIsInsideAndWhatIsCut) {
    const double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;
    for (const Pieced& pieced : {square, deep_octant}) {
        SCOPED_TRACE(pieced.name);
        double inside = 0;
        for (unsigned level = pi::first_level; level <= pieced.grid.last_level; level++) {
            const auto area = [&](Place place) {
                const Pieces there = at(place, pieced.grid, reached(pieced.grid, level), level);
                return std::ldexp(static_cast<double>(cells_of(pieced, there).size()), -2 * static_cast<int>(level));
            };
            inside += area(Place::inside);
            EXPECT_GT(p, inside) << level;
            EXPECT_LT(p, inside + area(Place::cut)) << level;
        }
    }
}

}  // namespace
