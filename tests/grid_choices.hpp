// What the bits of a sample choose, for the tests of the steps that decide samples by cells.
#pragma once

#include <vector>

#include "kernels/pi/shared/cut_cells.hpp"

/// What a sample that reaches `level` chooses from, by its bits, the first one highest.
inline std::vector<pi::Cell> choices(const pi::Grid& grid, unsigned level) {
    std::vector<pi::Cell> chosen;
    if (level == pi::first_level) {
        for (unsigned bits = 0; bits < 1u << grid.first_bits; bits++) {
            chosen.push_back(grid.first(bits));
        }
        return chosen;
    }
    for (const pi::Cell& cut : grid.slots(level - 1)) {
        for (unsigned quarter = 0; quarter < 4; quarter++) {
            chosen.push_back(grid.quarter(cut, quarter));
        }
    }
    return chosen;
}
