// Proofs that a system can be solved by random walks. Without them there is no estimate to judge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/system/splitting.hpp"

namespace mcls {

/// Throws bench::UsageError if the terms H^k b of the Neumann series grow 1e5 times, or have not shrunk after 20,000 sweeps. Its
/// line tells terms that still grow then from those that do not.
void require_convergence(const Splitting& splitting);

/// What is known about second moments: they are finite if for some k all entries of S^k 1 are below 1, S = squared(). It is
/// enough that this holds within every strongly connected component.
struct SecondMoments {
    bool finite;          // shown; otherwise nothing is known
    double largest;       // entry of S^k 1, in the component that needs most steps
    std::uint64_t steps;  // k
    double radius = 0;    // of |H|, about: known where they are not shown finite
};
SecondMoments second_moments_shown(const Histories& histories);

/// A vector that the powers of a matrix M without negative entries turn ones into, and about the spectral radius of M. A sweep
/// is a product with I + M: it keeps entries positive.
struct Dominant {
    std::vector<double> vector;  // positive, the largest entry 1
    double radius;
};
Dominant dominant_vector(const Sparse& m, int sweeps);

/// What is said of second moments that are not shown finite.
std::string why_not_finite(const SecondMoments& shown);

/// Throws bench::UsageError unless they are shown finite, and names the option that does without if there is one.
void require_finite_variance(const SecondMoments& shown, bool has_option = true);

}  // namespace mcls
