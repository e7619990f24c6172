// Unequal scales of the unknowns: factors that make walks converge whose weights would grow.
#pragma once

#include <vector>

#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/system/splitting.hpp"

namespace mcls {

/// A system as adjoint histories walk it: that of the unknowns u x, with u H u^-1 in place of H and u b in place of b.
struct ScaledSplitting {
    Splitting splitting;
    std::vector<double> u;  // of each unknown, at least 1; empty: all are 1

    /// The factors that turn u x into x; empty: 1.
    std::vector<double> back() const;

    /// Histories of this system as they add to x, which is `stated`: their moments are those of the estimate.
    Histories of_x(Histories histories, const Splitting& stated) const;
};

/// Left as it is where almost optimal histories have finite second moments, or no u is found: column sums of u |H| u^-1 below 1
/// exist if and only if the spectral radius of |H| is below 1.
ScaledSplitting scaled_for_walks(Splitting splitting);

}  // namespace mcls
