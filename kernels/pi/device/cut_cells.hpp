// The cells that the arc cuts, level by level: what v15 decides samples by, in whole numbers.
#pragma once

#include <vector>

namespace pi {

/// Levels at which v15 decides: a sample takes its leading 3 bits of x and y at once, then bit by bit.
inline constexpr unsigned first_level = 3;
inline constexpr unsigned last_level = 8;

/// A cell of the grid of 2^level x 2^level over the unit square.
struct Cell {
    unsigned x, y;
};

/// Where a cell lies relative to the quarter circle.
enum class Place { inside, outside, cut };

/// The place of `cell`. One cell inside counts as cut, so that at each level 2^(level + 1) are, a number that bits can
/// choose from; its samples are decided later. No corner of a cell within the square lies on the circle.
Place place_of(Cell cell, unsigned level);

/// The cut cells of `level` (first_level to last_level) by their slots: which of them a sample that is cut is in, slot
/// bits tell. The order is one that makes the networks of cell_networks.cuh small.
std::vector<Cell> slots(unsigned level);

}  // namespace pi
