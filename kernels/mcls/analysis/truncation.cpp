#include "kernels/mcls/analysis/truncation.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "kernels/mcls/analysis/resolvent.hpp"

namespace mcls {
namespace {

/// What is left out falls by the same factor with each transition, that of the slowest part of it.
double halved_by(const Splitting& splitting, const std::vector<double>& left) {
    const double factor = norm(product(splitting.h, left)) / norm(left);
    return factor < 1 ? -std::numbers::ln2 / std::log(factor) : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<double> residual_of(const Splitting& splitting, const std::vector<double>& x) {
    std::vector<double> r = product(splitting.h, x);
    for (std::size_t i = 0; i < r.size(); ++i) {
        r[i] += splitting.b[i] - x[i];
    }
    return r;
}

LeftOut left_out(const Splitting& splitting, const std::vector<double>& mean) {
    constexpr double rounding = 1e-12;
    std::vector<double> left = residual_of(splitting, mean);
    const double residual = norm(left) / norm(splitting.b);
    if (residual <= rounding) {
        return {residual, {}, 0};
    }
    Resolvent(splitting.h).solve(std::span(left));
    const double steps = halved_by(splitting, left);
    return {residual, std::move(left), steps};
}

}  // namespace mcls
