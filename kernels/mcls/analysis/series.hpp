// Sums of powers of a sparse matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/mcls/system/sparse.hpp"
#include "kernels/mcls/system/splitting.hpp"

namespace mcls {

/// The Neumann series source + M^T source + (M^T)^2 source + ..., term by term.
class Series {
 public:
    /// `m` must outlive the series. Terms below `negligible` times their sum are left out.
    Series(const Sparse& m, std::span<const double> source, double negligible = 1e-18);

    /// Adds a term. False if all terms are negligible.
    bool advance();

    const std::vector<double>& term() const { return term_; }
    const std::vector<double>& sum() const { return sum_; }
    /// The states whose term is not 0.
    const std::vector<std::uint32_t>& states() const { return states_; }

    /// The most memory of a series, for each state.
    static constexpr std::size_t bytes_per_state =
        3 * sizeof(double) + 2 * sizeof(std::uint32_t) + sizeof(std::uint8_t);

 private:
    const Sparse& m_;
    double negligible_;
    std::vector<double> term_, next_, sum_;
    std::vector<std::uint32_t> states_, next_states_;
    std::vector<std::uint8_t> is_next_;
};

/// The first `steps` terms after the source, or as many as change the sum.
std::vector<double> neumann_sum(const Sparse& m, std::span<const double> source, std::uint64_t steps);

/// The solution, by its Neumann series until terms no longer change the sum. The series must converge.
std::vector<double> solution_of(const Splitting& splitting);

/// For a history from each state: the second moment of the sum, over the states that it visits, of weight times c. By the
/// recursion s_m = c (2 y_m - c) + S s_(m-1), with y_m = c + B y_(m-1) and S = squared(): exact for histories of m transitions.
std::vector<double> second_moments(const Sparse& b, const Sparse& squared, std::span<const double> c,
                                   std::uint64_t steps);

}  // namespace mcls
