// The fixed-point form of a system, on which the walks run.
#pragma once

#include <vector>

#include "kernels/mcls/system/sparse.hpp"
#include "kernels/mcls/system/systems.hpp"

namespace mcls {

/// x = H x + b. H has no entries on the diagonal, and none that is zero.
struct Splitting {
    Sparse h;
    std::vector<double> b;
};

/// Jacobi's splitting of A x = b: H = I - A / d and b / d, with the diagonal d of A. Throws bench::UsageError if b has another
/// number of entries than A has rows, if a diagonal entry is missing or has no finite reciprocal, if a quotient overflows and if
/// all of b or b / d are denormal.
/// Messages number rows from 1, as files do.
Splitting split(const System& system);

/// Whether b is zero or H has no entries. Then b is the solution.
bool is_solved(const Splitting& splitting);

/// A splitting to walk on. Throws as split(), if it is solved and if all sums of rows or of columns of A are 0.
Splitting jacobi(const System& system);

/// The diagonal of A. Throws as split().
std::vector<double> diagonal_of(const Sparse& a);

}  // namespace mcls
