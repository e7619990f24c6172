// Square sparse matrices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mcls {

/// An n x n matrix in compressed rows. The columns of a row ascend.
struct Sparse {
    std::uint32_t n = 0;
    std::vector<std::uint64_t> first;   // of each row, and the number of all entries: n + 1 values
    std::vector<std::uint32_t> column;  // of each entry
    std::vector<double> value;

    std::span<const std::uint32_t> columns_of(std::uint32_t row) const {
        return std::span(column).subspan(first[row], first[row + 1] - first[row]);
    }
    std::span<const double> values_of(std::uint32_t row) const {
        return std::span(value).subspan(first[row], first[row + 1] - first[row]);
    }
};

/// An entry in a row and a column, both numbered from 0.
struct Entry {
    std::uint32_t row, column;
    double value;
};

/// The matrix with these entries, in any order. Entries of the same place are added in their order.
Sparse sparse(std::uint32_t n, std::span<const Entry> entries);

Sparse transposed(const Sparse& matrix);

/// The matrix times a vector of n values; each row is summed in the order of its columns.
std::vector<double> product(const Sparse& matrix, std::span<const double> vector);

/// The matrix M in units of its unknowns: M_ij unit_j / unit_i.
Sparse in_units(Sparse matrix, std::span<const double> unit);

/// The absolute values.
std::vector<double> absolute(std::vector<double> values);
Sparse absolute(Sparse matrix);

/// The exponent of the largest entry where squares may leave the range of doubles, else 0.
int exponent_of(std::span<const double> vector);

/// The vector times 2^exponent.
std::vector<double> scaled(std::vector<double> vector, int exponent);

/// The Euclidean norm of a vector.
double norm(std::span<const double> vector);

/// ||x - exact|| / ||exact||.
double relative_error(std::span<const double> x, std::span<const double> exact);

}  // namespace mcls
