#include "kernels/mcls/tables/double_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/errors.hpp"

namespace mcls {
namespace {

/// Sums of the sizes of the values up to each, over that of all.
std::vector<double> cumulative(std::span<const double> values) {
    std::vector<double> sums;
    double sum = 0;
    for (const double value : values) {
        sums.push_back(sum += std::abs(value));
    }
    for (double& part : sums) {
        part /= sum;
    }
    return sums;
}

/// The values over their probabilities: the sum of their sizes, with the sign of each.
std::vector<double> over_probabilities(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) {
        sum += std::abs(value);
    }
    std::vector<double> quotients;
    for (const double value : values) {
        quotients.push_back(std::copysign(sum, value));
    }
    return quotients;
}

void append(std::vector<double>& all, const std::vector<double>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

DoubleStartTable double_start_table(std::span<const double> b) { return {cumulative(b), over_probabilities(b)}; }

CsrTable csr_table(const Sparse& b) {
    if (b.value.size() > UINT32_MAX) {
        throw bench::UsageError(fmt::format("H has {} entries, more than the tables hold", b.value.size()));
    }
    CsrTable table = {.first = {b.first.begin(), b.first.end()}, .cdf = {}, .factor = {}, .next = b.column};
    for (std::uint32_t row = 0; row < b.n; row++) {
        append(table.cdf, cumulative(b.values_of(row)));
        append(table.factor, over_probabilities(b.values_of(row)));
    }
    return table;
}

StructTable struct_table(const Sparse& b) {
    const CsrTable arrays = csr_table(b);
    StructTable table = {.first = arrays.first, .entries = {}};
    for (std::size_t i = 0; i < b.value.size(); i++) {
        table.entries.push_back({b.value[i], arrays.cdf[i], arrays.factor[i], arrays.next[i]});
    }
    return table;
}

}  // namespace mcls
