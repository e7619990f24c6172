#include "kernels/mcls/analysis/histories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bench/errors.hpp"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls {
namespace {

// The probabilities are yet to be filled in.
Histories started(const Splitting& splitting, Method method, std::uint64_t steps, double cutoff) {
    std::vector<double> start = absolute(splitting.b);
    const double norm = std::accumulate(start.begin(), start.end(), 0.0);
    for (double& probability : start) probability /= norm;
    return {.method = method,
            .b = method == Method::adjoint ? transposed(splitting.h) : splitting.h,
            .probability = {},
            .source = splitting.b,
            .start = std::move(start),
            .steps = steps,
            .cutoff = cutoff};
}

// Probabilities in proportion to `sizes`, the weight of each entry.
void set_probabilities(Histories& histories, const Sparse& sizes) {
    const std::vector<double> sums = row_sums(sizes);
    for (std::uint32_t row = 0; row < sizes.n; ++row) {
        for (const double size : sizes.values_of(row)) {
            histories.probability.push_back(std::abs(size) / sums[row]);
        }
    }
}

// Ones after so many sweeps x = |H| x + |b|.
std::vector<double> swept(const Splitting& splitting, std::uint64_t sweeps) {
    const Sparse h = absolute(splitting.h);
    const std::vector<double> b = absolute(splitting.b);
    std::vector<double> x(h.n, 1);
    for (std::uint64_t sweep = 0; sweep < sweeps; ++sweep) {
        x = product(h, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += b[i];
        }
    }
    return x;
}

}  // namespace

std::vector<double> row_sums(const Sparse& matrix) {
    return product(absolute(matrix), std::vector<double>(matrix.n, 1));
}

Histories almost_optimal(const Splitting& splitting, Method method, std::uint64_t steps, double cutoff) {
    Histories histories = started(splitting, method, steps, cutoff);
    set_probabilities(histories, histories.b);
    return histories;
}

Histories guided(const Splitting& splitting, std::uint64_t sweeps, std::uint64_t steps, double cutoff, bool in_units) {
    std::vector<double> x = swept(splitting, sweeps);
    const double largest = *std::max_element(x.begin(), x.end());
    if (!std::isfinite(largest)) {
        throw bench::UsageError(fmt::format("--sweeps: the estimate of |x| overflows after {} sweeps", sweeps));
    }
    constexpr double least = 1e-9;  // entries of x may be 0, but probabilities may not
    for (double& value : x) value = std::max(value, least * largest);
    Histories histories = started(splitting, Method::forward, steps, cutoff);
    Sparse sizes = histories.b;
    for (std::size_t entry = 0; entry < sizes.value.size(); ++entry) {
        sizes.value[entry] *= x[sizes.column[entry]];
    }
    set_probabilities(histories, sizes);
    if (in_units) histories.unit = std::move(x);
    return histories;
}

Histories on_slots(Histories histories, bool paths) {
    const std::uint32_t length = length_on_slots(histories.b.first, paths);
    histories.probability = slot_probabilities(histories.b, length);
    const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(histories.steps, UINT32_MAX - 2));
    histories.steps = quads_of({most, 0}, length) * transitions_of_quad(length) - 1;
    return histories;
}

Histories absorbing(const Splitting& splitting, Method method) {
    Histories histories = started(splitting, method, unlimited, 0);
    const std::vector<double> sums = row_sums(histories.b);
    for (std::uint32_t row = 0; row < histories.b.n; ++row) {
        constexpr double rounding = 1e-12;
        if (!(sums[row] <= 1 + rounding)) {
            throw bench::UsageError(fmt::format("absorption needs every {0} sum of |H| <= 1: {0} {1} has {2:.4f}",
                                                method == Method::adjoint ? "column" : "row", row + 1, sums[row]));
        }
    }
    for (const double value : histories.b.value) {
        histories.probability.push_back(std::abs(value));
    }
    return histories;
}

Sparse in_units(const Histories& histories) {
    return histories.unit.empty() ? histories.b : in_units(histories.b, histories.unit);
}

Sparse squared(const Histories& histories) {
    Sparse result = histories.b;
    for (std::size_t entry = 0; entry < result.value.size(); ++entry) {
        result.value[entry] *= result.value[entry] / histories.probability[entry];
    }
    return result;
}

std::vector<double> squared_starts(const Histories& histories) {
    std::vector<double> result(histories.source.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double b = histories.source[i];
        result[i] = histories.start[i] > 0 ? b * b / histories.start[i] : 0;
    }
    return result;
}

}  // namespace mcls
