#include "kernels/mcls/problem/histories.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "bench/cli/errors.hpp"

namespace mcls {
namespace {

// The probabilities are yet to be filled in.
Histories started(const Splitting& splitting, Method method, std::uint64_t steps, double cutoff) {
    double norm = 0;
    for (const double b : splitting.b) {
        norm += std::abs(b);
    }
    std::vector<double> start;
    for (const double b : splitting.b) {
        start.push_back(std::abs(b) / norm);
    }
    return {.method = method,
            .b = method == Method::adjoint ? transposed(splitting.h) : splitting.h,
            .probability = {},
            .source = splitting.b,
            .start = std::move(start),
            .steps = steps,
            .cutoff = cutoff};
}

}  // namespace

std::vector<double> row_sums(const Sparse& matrix) {
    std::vector<double> sums(matrix.n);
    for (std::uint32_t row = 0; row < matrix.n; ++row) {
        for (const double value : matrix.values_of(row)) {
            sums[row] += std::abs(value);
        }
    }
    return sums;
}

Histories almost_optimal(const Splitting& splitting, Method method, std::uint64_t steps, double cutoff) {
    Histories histories = started(splitting, method, steps, cutoff);
    const std::vector<double> sums = row_sums(histories.b);
    for (std::uint32_t row = 0; row < histories.b.n; ++row) {
        for (const double value : histories.b.values_of(row)) {
            histories.probability.push_back(std::abs(value) / sums[row]);
        }
    }
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

Sparse squared(const Histories& histories) {
    Sparse result = histories.b;
    for (std::size_t entry = 0; entry < result.value.size(); ++entry) {
        result.value[entry] *= result.value[entry] / histories.probability[entry];
    }
    return result;
}

}  // namespace mcls
