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
/// number of entries than A has rows, if a diagonal entry is missing or has no finite reciprocal, if a quotient overflows, if b
/// is zero and if H has no entries. Messages number rows from 1, as files do.
Splitting jacobi(const System& system);

/// The diagonal of A. Throws as jacobi().
std::vector<double> diagonal_of(const Sparse& a);

}  // namespace mcls
