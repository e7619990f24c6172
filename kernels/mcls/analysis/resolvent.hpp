// (I - M)^-1 for a sparse M, applied to many vectors at once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/mcls/analysis/components.hpp"
#include "kernels/mcls/system/sparse.hpp"

namespace mcls {

/// Vectors side by side, so that the compiler vectorises what is done to all of them: of each, the value of one state.
inline constexpr std::size_t lanes = 16;
using Lanes = std::array<double, lanes>;

/// Columns 16 block, 16 block + 1, ... of a matrix of coefficients.
template <class Coefficient>
std::vector<Lanes> columns(std::size_t rows, std::size_t block, Coefficient coefficient) {
    std::vector<Lanes> result(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            result[row][lane] = coefficient(row, block * lanes + lane);
        }
    }
    return result;
}

/// Solves y = c + M y, one strongly connected component after the other. A component with a narrow band is solved by
/// elimination, another one by Gauss-Seidel sweeps until no value changes by more than 1e-6 of the largest. Both need a spectral
/// radius of |M| below 1, which finite second moments imply.
class Resolvent {
 public:
    explicit Resolvent(Sparse m);

    /// c becomes y. Both have a value of each state.
    void solve(std::span<Lanes> y) const;
    void solve(std::span<double> y) const;

    /// Whether every component has a narrow band.
    bool eliminates() const;

    const Components& components() const { return components_; }

    /// Of the runs of states that begin at `first` in the order of components().state, each within a component: the sum over
    /// states j and k of the run of weight_j (I - M)^-1_jk. Exact. None if a component has no narrow band, or if the runs
    /// are too long for this.
    std::optional<std::vector<double>> sums_within(std::span<const std::uint32_t> first,
                                                   std::span<const double> weight) const;

 private:
    /// I - M within a component as L U, by diagonals: entry (i, j) at i (2 width + 1) + j - i + width. L has ones on the diagonal.
    struct Band {
        std::uint32_t width;
        std::vector<double> value;  // empty if the band is not narrow

        double at(std::uint32_t i, std::uint32_t j) const { return value[std::size_t{i} * 2 * width + j + width]; }
        double& at(std::uint32_t i, std::uint32_t j) { return value[std::size_t{i} * 2 * width + j + width]; }
    };
    template <class Value>
    void solve_each(std::span<Value> y) const;
    Band eliminated(std::uint32_t component) const;

    Sparse m_;
    Components components_;
    std::vector<Band> bands_;
};

}  // namespace mcls
