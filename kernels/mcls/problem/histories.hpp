// How histories move and what they add up, as far as their moments depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mcls/problem/design.hpp"
#include "kernels/mcls/problem/sparse.hpp"
#include "kernels/mcls/problem/splitting.hpp"

namespace mcls {

/// A history that ends by absorption alone.
inline constexpr std::uint64_t unlimited = UINT64_MAX;

/// Histories that estimate the solution of x = H x + b. A transition along entry B_ij multiplies the weight by
/// B_ij / probability_ij; a history ends where the probabilities of a row leave a rest.
struct Histories {
    Method method;
    Sparse b;                         // B: the transpose of H (adjoint) or H (forward)
    std::vector<double> probability;  // of each entry of B
    std::vector<double> source;       // b
    std::vector<double> start;        // the probability of each state (adjoint); the first weight is b / start
    std::uint64_t steps;              // most transitions of a history
    double cutoff = 0;                // a history ends below this multiple of its first weight
};

/// Almost optimal probabilities |B_ij| / sum of row i: the weight changes by the sums of the rows.
Histories almost_optimal(const Splitting& splitting, Method method, std::uint64_t steps, double cutoff = 0);

/// Absorbing probabilities |B_ij|: the weight keeps its size. Throws bench::UsageError, with the row, if one sums to more than 1.
Histories absorbing(const Splitting& splitting, Method method);

/// The sum of the absolute values of each row.
std::vector<double> row_sums(const Sparse& matrix);

/// B_ij^2 / probability_ij: its powers are the second moments of the weights.
Sparse squared(const Histories& histories);

}  // namespace mcls
