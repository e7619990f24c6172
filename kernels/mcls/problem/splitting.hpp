// The fixed-point form of a system, on which the walks run.
#pragma once

#include <vector>

#include "kernels/mcls/problem/sparse.hpp"
#include "kernels/mcls/problem/systems.hpp"

namespace mcls {

/// x = H x + b. H has no entries on the diagonal.
struct Splitting {
    Sparse h;
    std::vector<double> b;
};

/// Jacobi's splitting of A x = b: H = I - A / d and b / d, with the diagonal d of A. Throws bench::UsageError, with the row,
/// if a row is empty or its diagonal entry is missing, is zero or has no finite reciprocal, and if b is zero or H is empty.
Splitting jacobi(const System& system);

}  // namespace mcls
