// The tables of shared/double_tables.cuh, made on the host, and the traits of methods on them. B is the matrix that the histories
// walk: the transposed H for the adjoint method, H for the forward method. Probabilities are almost optimal: |B_ij| over the sum
// of the row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/mcls/shared/double_walks.cuh"
#include "kernels/mcls/system/sparse.hpp"
#include "kernels/mcls/tables/host_tables.hpp"
#include "kernels/mcls/tables/methods.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

struct DoubleStartTable {
    std::vector<double> cdf;
    std::vector<double> weight;

    template <class Place = OnHost>
    DoubleStarts view(Place&& place = {}) const {
        return {static_cast<std::uint32_t>(cdf.size()), place(cdf), place(weight)};
    }
};

/// Starts drawn by |b|, with weights b_i / probability. b must not be zero.
DoubleStartTable double_start_table(std::span<const double> b);

struct CsrTable {
    std::vector<std::uint32_t> first;
    std::vector<double> cdf;
    std::vector<double> factor;
    std::vector<std::uint32_t> next;

    template <class Place = OnHost>
    CsrRows view(Place&& place = {}) const {
        return {static_cast<std::uint32_t>(first.size() - 1), place(first), place(cdf), place(factor), place(next)};
    }
};

/// Throws bench::UsageError if B has too many entries.
CsrTable csr_table(const Sparse& b);

struct StructTable {
    std::vector<std::uint32_t> first;
    std::vector<RowEntry> entries;

    template <class Place = OnHost>
    StructRows view(Place&& place = {}) const {
        return {static_cast<std::uint32_t>(first.size() - 1), place(first), place(entries)};
    }
};

/// The same with a struct for each entry.
StructTable struct_table(const Sparse& b);

/// The table of these rows, of the B of Walks.
template <class Rows>
auto double_rows(const Walks& walks) {
    const Sparse b = {walks.n, walks.first, walks.column, walks.value};
    if constexpr (std::is_same_v<Rows, CsrRows>) {
        return csr_table(b);
    } else {
        return struct_table(b);
    }
}

template <class Rows>
struct MethodOf<AdjointTables<Rows>> {
    static auto made(const Walks& walks) {
        auto rows = double_rows<Rows>(walks);
        return std::pair(std::move(rows), double_start_table(walks.b));
    }
    template <class Tables, class Place>
    static AdjointTables<Rows> on(const Walks& walks, const Tables& tables, Place&& place) {
        return {tables.second.view(place), tables.first.view(place), walks.limits};
    }
    static std::size_t cells(const AdjointTables<Rows>&) { return 0; }
};

template <class Rows>
struct MethodOf<ForwardTables<Rows>> {
    static auto made(const Walks& walks) { return double_rows<Rows>(walks); }
    template <class Table, class Place>
    static ForwardTables<Rows> on(const Walks& walks, const Table& rows, Place&& place) {
        return {place(walks.b), rows.view(place), walks.limits, walks.histories_of_entry};
    }
    static std::size_t cells(const ForwardTables<Rows>&) { return 0; }
};

}  // namespace mcls
