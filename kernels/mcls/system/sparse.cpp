#include "kernels/mcls/system/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

namespace mcls {
namespace {

// The entries in rows. Those of a row keep their order.
Sparse in_rows(std::uint32_t n, std::span<const Entry> entries) {
    Sparse matrix{.n = n,
                  .first = std::vector<std::uint64_t>(std::size_t{n} + 1),
                  .column = std::vector<std::uint32_t>(entries.size()),
                  .value = std::vector<double>(entries.size())};
    for (const Entry& entry : entries) {
        ++matrix.first[entry.row + 1];
    }
    std::partial_sum(matrix.first.begin(), matrix.first.end(), matrix.first.begin());
    std::vector<std::uint64_t> next(matrix.first.begin(), matrix.first.end() - 1);
    for (const Entry& entry : entries) {
        const std::uint64_t place = next[entry.row]++;
        matrix.column[place] = entry.column;
        matrix.value[place] = entry.value;
    }
    return matrix;
}

// Adds up neighbours of the same row and column.
Sparse with_duplicates_added(const Sparse& matrix) {
    Sparse added{.n = matrix.n, .first = {0}, .column = {}, .value = {}};
    for (std::uint32_t row = 0; row < matrix.n; ++row) {
        for (std::uint64_t entry = matrix.first[row]; entry < matrix.first[row + 1]; ++entry) {
            if (added.column.size() > added.first.back() && added.column.back() == matrix.column[entry]) {
                added.value.back() += matrix.value[entry];
            } else {
                added.column.push_back(matrix.column[entry]);
                added.value.push_back(matrix.value[entry]);
            }
        }
        added.first.push_back(added.column.size());
    }
    return added;
}

}  // namespace

Sparse sparse(std::uint32_t n, std::span<const Entry> entries) {
    // A stable sort by rows, by columns and by rows again leaves each row in the order of its columns.
    return with_duplicates_added(transposed(transposed(in_rows(n, entries))));
}

Sparse transposed(const Sparse& matrix) {
    std::vector<Entry> entries;
    entries.reserve(matrix.value.size());
    for (std::uint32_t row = 0; row < matrix.n; ++row) {
        for (std::uint64_t entry = matrix.first[row]; entry < matrix.first[row + 1]; ++entry) {
            entries.push_back({matrix.column[entry], row, matrix.value[entry]});
        }
    }
    return in_rows(matrix.n, entries);
}

std::vector<double> product(const Sparse& matrix, std::span<const double> vector) {
    std::vector<double> result(matrix.n);
    for (std::uint32_t row = 0; row < matrix.n; ++row) {
        for (std::uint64_t entry = matrix.first[row]; entry < matrix.first[row + 1]; ++entry) {
            result[row] += matrix.value[entry] * vector[matrix.column[entry]];
        }
    }
    return result;
}

Sparse in_units(Sparse matrix, std::span<const double> unit) {
    for (std::uint32_t row = 0; row < matrix.n; ++row) {
        for (std::uint64_t entry = matrix.first[row]; entry < matrix.first[row + 1]; ++entry) {
            matrix.value[entry] *= unit[matrix.column[entry]] / unit[row];
        }
    }
    return matrix;
}

std::vector<double> absolute(std::vector<double> values) {
    for (double& value : values) {
        value = std::abs(value);
    }
    return values;
}

Sparse absolute(Sparse matrix) {
    matrix.value = absolute(std::move(matrix.value));
    return matrix;
}

int exponent_of(std::span<const double> vector) {
    constexpr int safe = 100;  // squares of squares are safe, too
    double largest = 0;
    for (const double value : vector) {
        largest = std::max(largest, std::abs(value));
    }
    const int exponent = largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
    return std::abs(exponent) > safe ? exponent : 0;
}

std::vector<double> scaled(std::vector<double> vector, int exponent) {
    for (double& value : vector) {
        value = std::ldexp(value, exponent);
    }
    return vector;
}

double norm(std::span<const double> vector) {
    const auto plain = [](std::span<const double> v) {
        return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    };
    const int exponent = exponent_of(vector);
    return exponent == 0 ? plain(vector)
                         : std::ldexp(plain(scaled({vector.begin(), vector.end()}, -exponent)), exponent);
}

double relative_error(std::span<const double> x, std::span<const double> exact) {
    std::vector<double> difference(x.size());
    std::transform(x.begin(), x.end(), exact.begin(), difference.begin(), std::minus<>());
    return norm(difference) / norm(exact);
}

}  // namespace mcls
