#include "kernels/mcls/system/splitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "bench/errors.hpp"

namespace mcls {
namespace {

// Users number rows from 1, as Matrix Market does.
std::uint64_t number_of(std::uint32_t row) { return std::uint64_t{row} + 1; }

double quotient(double entry, double d, std::uint32_t row) {
    const double q = entry / d;
    if (!std::isfinite(q)) {
        throw bench::UsageError(fmt::format("row {} overflows: {} / {}, its diagonal entry", number_of(row), entry, d));
    }
    return q;
}

double diagonal_of(const Sparse& a, std::uint32_t row) {
    const auto columns = a.columns_of(row);
    const auto place = std::lower_bound(columns.begin(), columns.end(), row);
    if (place == columns.end() || *place != row) {
        throw bench::UsageError(fmt::format("row {} has no diagonal entry", number_of(row)));
    }
    const double d = a.values_of(row)[static_cast<std::size_t>(place - columns.begin())];
    if (!std::isfinite(1 / d)) {
        throw bench::UsageError(
            fmt::format("row {} has no diagonal entry with a finite reciprocal: it is {}", number_of(row), d));
    }
    return d;
}

bool is_zero(const std::vector<double>& vector) {
    return std::all_of(vector.begin(), vector.end(), [](double value) { return value == 0; });
}

}  // namespace

std::vector<double> diagonal_of(const Sparse& a) {
    std::vector<double> diagonal;
    for (std::uint32_t row = 0; row < a.n; ++row) {
        diagonal.push_back(diagonal_of(a, row));
    }
    return diagonal;
}

Splitting split(const System& system) {
    const Sparse& a = system.a;
    if (system.b.size() != a.n) {
        throw bench::UsageError(fmt::format("rhs has {} entries, matrix {}", system.b.size(), a.n));
    }
    Splitting split{.h = {.n = a.n, .first = {0}, .column = {}, .value = {}}, .b = {}};
    for (std::uint32_t row = 0; row < a.n; ++row) {
        const double d = diagonal_of(a, row);
        for (std::uint64_t entry = a.first[row]; entry < a.first[row + 1]; ++entry) {
            const double h = -quotient(a.value[entry], d, row);
            if (a.column[entry] != row && h != 0) {
                split.h.column.push_back(a.column[entry]);
                split.h.value.push_back(h);
            }
        }
        split.h.first.push_back(split.h.column.size());
        split.b.push_back(quotient(system.b[row], d, row));
    }
    return split;
}

bool is_solved(const Splitting& splitting) { return is_zero(splitting.b) || splitting.h.value.empty(); }

Splitting jacobi(const System& system) {
    Splitting splitting = split(system);
    if (is_zero(splitting.b)) {
        throw bench::UsageError("rhs is zero: nothing to sample; mcls_solve has the answer");
    }
    if (is_solved(splitting)) {
        throw bench::UsageError(
            "nothing to walk: the matrix has no entries off the diagonal; mcls_solve has the answer");
    }
    return splitting;
}

}  // namespace mcls
