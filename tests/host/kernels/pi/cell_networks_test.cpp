// The networks of v15 and v18 to v23 say of every input what the geometry says.
#include "kernels/pi/shared/cell_networks.cuh"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kernels/pi/shared/cut_cells.hpp"
#include "tests/grid_choices.hpp"

namespace {

using pi::Cell;
using pi::Grid;
using pi::LastCells;
using pi::Place;

constexpr unsigned every_byte = 0x01010101;

// PTX ISA, lop3.b32: immLut = F(0xF0, 0xCC, 0xAA).
template <unsigned... tables>
std::vector<unsigned> looked_up(std::integer_sequence<unsigned, tables...>) {
    return {pi::lop3<tables>(0xf0 * every_byte, 0xcc * every_byte, 0xaa * every_byte)...};
}

TEST(Lop3, IsItsTable) {
    const auto found = looked_up(std::make_integer_sequence<unsigned, 256>{});
    for (unsigned table = 0; table < 256; table++) {
        EXPECT_EQ(found[table], table * every_byte) << table;
    }
}

/// Samples `first` to `first` + 31 of those that all inputs make, in the lanes 0 to 31: what the planes are of.
template <unsigned planes>
void fill(unsigned first, unsigned (&words)[planes]) {
    for (unsigned plane = 0; plane < planes; plane++) {
        words[plane] = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            words[plane] |= ((first + lane) >> (planes - 1 - plane) & 1) << lane;
        }
    }
}

template <template <unsigned> class Networks, unsigned level>
void expect_places(const Grid& grid) {
    using Network = Networks<level>;
    const std::vector<Cell> chosen = choices(grid, level);
    ASSERT_EQ(chosen.size(), 1u << Network::planes) << level;
    for (unsigned first = 0; first < chosen.size(); first += 32) {
        unsigned planes[Network::planes];
        fill(first, planes);
        const pi::Decided<unsigned> decided = Network::decide(planes);
        for (unsigned lane = 0; lane < 32; lane++) {
            const Place place = grid.place_of(chosen[first + lane], level);
            EXPECT_EQ(decided.inside >> lane & 1, place == Place::inside) << level << ", " << first + lane;
            EXPECT_EQ(decided.outside >> lane & 1, place == Place::outside) << level << ", " << first + lane;
        }
    }
}

template <template <unsigned> class Networks, unsigned last_level, unsigned level = pi::first_level>
void expect_all_places(const Grid& grid) {
    expect_places<Networks, level>(grid);
    if constexpr (level < last_level) {
        expect_all_places<Networks, last_level, level + 1>(grid);
    }
}

TEST(Network, DecidesEveryCellByItsPlace) { expect_all_places<pi::Network, 8>(pi::square); }

TEST(OctantNetwork, DecidesEveryPieceByItsPlace) { expect_all_places<pi::OctantNetwork, 10>(pi::deep_octant); }

template <unsigned level>
void expect_cells(const LastCells<level>& stored, unsigned side, const Grid& grid) {
    const std::vector<Cell> cells = grid.last_cells();
    ASSERT_EQ(grid.last_level, level);
    ASSERT_EQ(cells.size(), std::size(stored.x_and_y));
    for (std::size_t slot = 0; slot < cells.size(); slot++) {
        EXPECT_EQ(stored.x_and_y[slot], cells[slot].x + side * cells[slot].y) << slot;
    }
}

TEST(LastCells, AreThoseOfTheirGrids) {
    expect_cells(pi::last_cells, 256, pi::square);
    expect_cells(pi::octant_last_cells, 256, pi::octant);
    expect_cells(pi::octant_last_cells_10, 65536, pi::deep_octant);
}

}  // namespace
