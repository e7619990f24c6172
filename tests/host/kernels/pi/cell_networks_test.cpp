// The networks of v15 and v18 say of every input what the geometry says.
#include "kernels/pi/device/cell_networks.cuh"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kernels/pi/device/cut_cells.hpp"

namespace {

using pi::Cell;
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

/// The cell that the bits of a sample choose, the first one leading.
Cell cell_of(unsigned level, unsigned bits) {
    if (level == pi::first_level) {
        return {bits / 8, bits % 8};
    }
    const Cell cut = pi::slots(level - 1).at(bits / 4);
    return {2 * cut.x + bits / 2 % 2, 2 * cut.y + bits % 2};
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

template <unsigned level>
void expect_places() {
    using Network = pi::Network<level>;
    constexpr unsigned inputs = level == pi::first_level ? 64 : 4u << level;
    static_assert(inputs == 1u << Network::planes);
    for (unsigned first = 0; first < inputs; first += 32) {
        unsigned planes[Network::planes];
        fill(first, planes);
        const pi::Decided<unsigned> decided = Network::decide(planes);
        for (unsigned lane = 0; lane < 32; lane++) {
            const Place place = pi::place_of(cell_of(level, first + lane), level);
            EXPECT_EQ(decided.inside >> lane & 1, place == Place::inside) << level << ", " << first + lane;
            EXPECT_EQ(decided.outside >> lane & 1, place == Place::outside) << level << ", " << first + lane;
        }
    }
}

TEST(Network, DecidesEveryCellByItsPlace) {
    expect_places<3>();
    expect_places<4>();
    expect_places<5>();
    expect_places<6>();
    expect_places<7>();
    expect_places<8>();
}

TEST(LastCells, AreTheSlotsOfTheLastLevel) {
    const auto cells = pi::slots(pi::last_level);
    ASSERT_EQ(cells.size(), std::size(pi::last_cells.x_and_y));
    for (std::size_t slot = 0; slot < cells.size(); slot++) {
        EXPECT_EQ(pi::last_cells.x_and_y[slot], cells[slot].x + 256 * cells[slot].y) << slot;
    }
}

}  // namespace
