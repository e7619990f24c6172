// The cells that the arc cuts, level by level, in whole numbers. v15 uses them to decide samples.
#pragma once

#include <vector>

namespace pi {

/// The levels at which v15 decides. A sample takes the leading 3 bits of x and y at once, then one more bit of each per
/// level.
inline constexpr unsigned first_level = 3;
inline constexpr unsigned last_level = 8;

/// A cell of the 2^level x 2^level grid over the unit square.
struct Cell {
    unsigned x, y;
};

/// Where a cell lies relative to the quarter circle.
enum class Place { inside, outside, cut };

/// The place of `cell`. One inside cell per level counts as cut, so that each level has 2^(level + 1) cut cells and a
/// whole number of bits chooses one. Its samples are decided at a later level. No corner of a cell within the square lies
/// on the circle.
Place place_of(Cell cell, unsigned level);

/// The cut cells of `level` (first_level to last_level), in order of their slots. The slot bits of a cut sample choose its
/// cell. The order keeps the networks of cell_networks.cuh small.
std::vector<Cell> slots(unsigned level);

}  // namespace pi
