// How often walks visit states: sums of the powers of a matrix, to a factor of two, where the series itself takes too long.
#pragma once

#include <optional>
#include <vector>

#include "kernels/mcls/system/sparse.hpp"

namespace mcls {

/// A positive vector y, near (I - M)^-1 1.
struct MeanVisits {
    std::vector<double> value;  // y
    double within;              // the entries of (I - M) y are so near to 1: up to 1/3

    /// The largest entry of (I - M)^-1 1: a bound, no more than twice as large.
    double largest() const;
};

/// For a matrix M without negative entries: that y exists proves that its spectral radius is below 1. By elimination if M has
/// a narrow band, else in up to 1,000 iterations of BiCGSTAB (H. A. van der Vorst, "Bi-CGSTAB: a fast and smoothly converging
/// variant of Bi-CG for the solution of nonsymmetric linear systems", SIAM J. Sci. Stat. Comput. 13, 1992): to 1e-9 where
/// that takes few of them. Empty if none is found.
std::optional<MeanVisits> mean_visits(const Sparse& m);

}  // namespace mcls
