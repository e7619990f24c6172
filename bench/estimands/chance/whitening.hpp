// Turns numbers with a known covariance into independent ones.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bench {

/// The inverse of the Cholesky factor of a covariance matrix (Golub and Van Loan, "Matrix Computations", section 4.2),
/// without the numbers that the ones before determine.
class Whitening {
 public:
    Whitening() = default;

    /// `covariance`: of n numbers, row by row. Throws std::logic_error unless it has n * n values.
    Whitening(std::size_t n, std::span<const double> covariance);

    /// Number of independent numbers: at most n.
    std::size_t rank() const { return kept_.size(); }

    /// Sum of the squares of the whitened numbers. For normal numbers it has a chi-squared distribution with `rank`
    /// degrees of freedom.
    double squared_length(std::span<const double> numbers) const;

    /// Maximum length of the whitened numbers, if `most` bounds the size of each number.
    double most_length(std::span<const double> most) const;

 private:
    std::vector<std::size_t> kept_;             // numbers that are not determined by those before
    std::vector<std::vector<double>> inverse_;  // row i has i + 1 values, of the first i + 1 kept numbers
};

}  // namespace bench
