// The tables of device/double_tables.cuh, made on the host. B is the matrix that the histories walk: the transposed H for
// the adjoint method, H for the forward method. Probabilities are almost optimal: |B_ij| over the sum of the row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/mcls/device/double_tables.cuh"
#include "kernels/mcls/system/sparse.hpp"

namespace mcls {

struct DoubleStartTable {
    std::vector<double> cdf;
    std::vector<double> weight;

    DoubleStarts view() const { return {static_cast<std::uint32_t>(cdf.size()), cdf.data(), weight.data()}; }
};

/// Starts drawn by |b|, with weights b_i / probability. b must not be zero.
DoubleStartTable double_start_table(std::span<const double> b);

struct CsrTable {
    std::vector<std::uint32_t> first;
    std::vector<double> cdf;
    std::vector<double> factor;
    std::vector<std::uint32_t> next;

    CsrRows view() const {
        return {static_cast<std::uint32_t>(first.size() - 1), first.data(), cdf.data(), factor.data(), next.data()};
    }
};

/// Throws bench::UsageError if B has too many entries.
CsrTable csr_table(const Sparse& b);

struct StructTable {
    std::vector<std::uint32_t> first;
    std::vector<RowEntry> entries;

    StructRows view() const { return {static_cast<std::uint32_t>(first.size() - 1), first.data(), entries.data()}; }
};

/// The same with a struct for each entry.
StructTable struct_table(const Sparse& b);

}  // namespace mcls
