// The cells that the arc cuts, level by level, in whole numbers. v15 and v18 to v23 decide samples with them.
#pragma once

#include <vector>

namespace pi {

/// The level at which samples are first decided. A sample takes the leading 3 bits of x and y at once, then one more bit of
/// each per level.
inline constexpr unsigned first_level = 3;

/// Samples of a stream of which level `level`, from 4 on, gets `wanted` with near certainty. Level 4 gets a quarter of all
/// samples, each further one half of those of the level before. A third more than that is 5 sd of 352 samples or more.
constexpr unsigned samples_for(unsigned level, unsigned wanted) { return wanted * 4 / 3 << (level - 2); }

/// A cell of the 2^level x 2^level grid over the unit square.
struct Cell {
    unsigned x, y;
};

/// Where a cell lies relative to the quarter circle.
enum class Place { inside, outside, cut };

/// How the bits of a sample choose a cell, and where that is. Each choice is as likely as the others. No corner of a cell
/// within the square lies on the circle.
struct Grid {
    unsigned last_level;                        // what it cuts is tested sample by sample
    unsigned first_bits;                        // that choose a cell of the first level
    Cell (*first)(unsigned bits);               // the cell that they choose, the first bit highest
    Cell (*quarter)(Cell cell, unsigned bits);  // the quarter of a cell, on the next level, that two bits choose
    Place (*place_of)(Cell cell, unsigned level);
    /// The cut cells of a level, first_level to last_level: a power of two. The order keeps the networks of
    /// cell_networks.cuh small.
    std::vector<Cell> (*slots)(unsigned level);
    /// 2^(last_level + 1) cells of the square: those in which a sample is tested.
    std::vector<Cell> (*cells_of_last)(unsigned last_level);
    std::vector<Cell> last_cells() const { return cells_of_last(last_level); }
};

/// v15, v18: the cells of the square. One inside cell per level counts as cut, so that each level has 2^(level + 1) cut
/// cells. Its samples are decided at a later level.
extern const Grid square;

/// v19: the square folded along its diagonal. A piece is two cells of a level at mirrored places. (x, y) with x > y is the
/// cell at (x, y) and its mirror image. (k, k) is the two cells on the diagonal that are quarters of cell (k, k) of the
/// level before. The arc cuts one cell on the diagonal; the other cell of that piece counts as cut with it. So each level
/// has 2^level cut pieces, and needs no other cell to fill them up.
extern const Grid octant;

/// v20 to v23, the bit-sliced CPU: the octant, two levels deeper.
extern const Grid deep_octant;

}  // namespace pi
