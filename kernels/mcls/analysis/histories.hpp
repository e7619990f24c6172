// How histories move and what they add up, as far as their moments depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mcls/system/sparse.hpp"
#include "kernels/mcls/system/splitting.hpp"
#include "kernels/mcls/tables/kinds.hpp"

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
    /// Histories of a launch, each of which starts in its own part of `start`: history h in the h-th of so many equal ones.
    /// 0: each history starts anywhere.
    std::uint64_t strata = 0;
    /// The weight in state i is in units of unit[i], and the cutoff compares it in these. Empty: in units of 1.
    std::vector<double> unit = {};
};

/// Almost optimal probabilities |B_ij| / sum of row i: the weight changes by the sums of the rows.
Histories almost_optimal(const Splitting& splitting, Method method, std::uint64_t steps, double cutoff = 0);

/// Probabilities in proportion to |B_ij| x_j of forward histories, x being what `sweeps` of Jacobi's iteration for |H| and |b|
/// make of ones. With the solution itself in place of x, and nothing negative, every history would be the same up to its length:
/// a zero-variance scheme (J. H. Halton, "A retrospective and prospective survey of the Monte Carlo method", SIAM Rev. 12,
/// 1970). Without sweeps they are almost optimal. Throws bench::UsageError if x overflows.
/// `in_units`: weights are in units of x.
Histories guided(const Splitting& splitting, std::uint64_t sweeps, std::uint64_t steps, double cutoff = 0,
                 bool in_units = false);

/// Almost optimal histories as slots realise them: their probabilities, and the most transitions.
/// Throws bench::UsageError if rows have too many entries, or a history too few transitions.
Histories on_slots(Histories histories, bool paths);

/// Absorbing probabilities |B_ij|: the weight keeps its size. Throws bench::UsageError, with the row, if one sums to more than 1.
Histories absorbing(const Splitting& splitting, Method method);

/// The sum of the absolute values of each row.
std::vector<double> row_sums(const Sparse& matrix);

/// B as weights in units of `unit` go through it: B_ij unit_j / unit_i.
Sparse in_units(const Histories& histories);

/// B_ij^2 / probability_ij: its powers are the second moments of the weights.
Sparse squared(const Histories& histories);

/// The first weight squared times its probability, of each state.
std::vector<double> squared_starts(const Histories& histories);

}  // namespace mcls
