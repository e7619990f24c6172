#include "kernels/mcls/system/splitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <string_view>

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

bool is_below(const std::vector<double>& vector, double limit) {
    return std::all_of(vector.begin(), vector.end(), [limit](double value) { return std::abs(value) < limit; });
}

bool is_zero(const std::vector<double>& vector) { return is_below(vector, std::numeric_limits<double>::denorm_min()); }

/// What A has only sums of 0 in, but for rounding: then it is singular. Empty: neither rows nor columns.
std::string_view zero_sums(const Sparse& a) {
    std::vector<std::complex<double>> rows(a.n), columns(a.n);  // real: of values, imaginary: of their sizes
    for (std::uint32_t row = 0; row < a.n; ++row) {
        for (std::uint64_t entry = a.first[row]; entry < a.first[row + 1]; ++entry) {
            const std::complex<double> value(a.value[entry], std::abs(a.value[entry]));
            rows[row] += value;
            columns[a.column[entry]] += value;
        }
    }
    const auto vanish = [](const auto& sums) {
        return std::all_of(sums.begin(), sums.end(), [](auto s) { return std::abs(s.real()) <= 1e-14 * s.imag(); });
    };
    return vanish(rows) ? "row" : vanish(columns) ? "column" : "";
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
    constexpr double least = std::numeric_limits<double>::min();
    if (!is_zero(system.b) && (is_below(system.b, least) || is_below(split.b, least))) {
        throw bench::UsageError("rhs is so small that doubles lose its digits: multiply it by a large number");
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
    if (const auto sums = zero_sums(system.a); !sums.empty()) {
        throw bench::UsageError(fmt::format("the matrix is singular: the entries of each {} add up to 0", sums));
    }
    return splitting;
}

}  // namespace mcls
