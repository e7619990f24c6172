// What mcls_solve works on.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mcls/shared/walk.cuh"
#include "kernels/mcls/solve/arithmetic.cuh"
#include "kernels/mcls/system/splitting.hpp"
#include "kernels/mcls/system/systems.hpp"
#include "kernels/mcls/tables/host_tables.hpp"
#include "kernels/mcls/tables/kinds.hpp"

namespace mcls {

struct SolveProblem {
    System system;        // as it is stated, or with ones on the diagonal where that has entries of different sizes
    Splitting splitting;  // of the unknowns that are walked
    int exponent;         // x is 2^this times their solution: squares stay in the range of doubles
    std::vector<double> back;      // the factors that turn them into x; empty: 1
    std::vector<double> diagonal;  // of the system's matrix, times these factors, over a power of two as b
    Sampling sampling;  // absorbing where the system allows it and no cutoff is asked for, else almost optimal
    AliasTable rows;    // of the transposed H
    Limits limits;
    double growth;  // largest entry of the sum of |H|^l times ones

    /// The solution of the system as it is stated.
    std::vector<double> stated(const std::vector<double>& of_splitting) const { return scaled(of_splitting, exponent); }

    SplitSystem view() const {
        const Sparse& h = splitting.h;
        return {h.n, h.first.data(), h.column.data(), h.value.data(), splitting.b.data(), diagonal.data()};
    }

    /// x, by the unknowns that are walked.
    std::vector<double> x_of(std::vector<double> walked) const;

    /// The fixed point of the tallies of so many histories that estimate the correction for a residual of these sizes.
    /// Throws bench::UsageError if they have too few bits.
    int bits_of(const Sizes& residual, std::uint64_t histories) const;
};

/// `cutoff`: 0 for the default. Throws bench::UsageError if the system cannot be split or second moments are not shown finite.
SolveProblem solve_problem(System system, double cutoff);

/// The norm of c - A x over that of c, in double precision, and how much of it rounding may be; both are 0 where c - A x is.
struct TrueResidual {
    double relative, rounding;
};
TrueResidual residual_of(const System& system, const std::vector<double>& x);

/// Throws bench::VerdictError unless x has the residual that its iterate claims, which is relative to c.
void require_residual(const System& system, const std::vector<double>& x, double claimed);

}  // namespace mcls
