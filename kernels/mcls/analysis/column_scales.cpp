#include "kernels/mcls/analysis/column_scales.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "kernels/mcls/analysis/convergence.hpp"
#include "kernels/mcls/analysis/mean_visits.hpp"

namespace mcls {
namespace {

double inner(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Sweeps even out the scales of neighbours. Then the mean visits make each sum of u^-1 |H|^T u less than 1.
std::optional<std::vector<double>> even_scales(const Sparse& m) {
    constexpr int sweeps = 30;
    std::vector<double> u = dominant_vector(m, sweeps).vector;
    const auto visits = mean_visits(in_units(m, u));
    if (!visits) {
        return std::nullopt;
    }
    std::transform(u.begin(), u.end(), visits->value.begin(), u.begin(), std::multiplies<>());
    return u;
}

// The mean visits in the units of x are what a history adds to x in all: with them no visit adds more than the sum of |x|, but
// the variance may be no more than rounding. Half of the weight of all starts follows them, half the even scales.
std::optional<std::vector<double>> scales_of(const Splitting& splitting) {
    const Sparse m = absolute(transposed(splitting.h));
    auto u = even_scales(m);
    const auto visits = mean_visits(m);
    if (!u) {
        return std::nullopt;
    }
    if (visits) {
        const std::vector<double> b = absolute(splitting.b);
        const double even = inner(*u, b), of_visits = inner(visits->value, b);
        for (std::size_t i = 0; i < u->size(); ++i) {
            (*u)[i] = (*u)[i] / even + visits->value[i] / of_visits;
        }
    }
    const double least = *std::min_element(u->begin(), u->end());
    for (double& scale : *u) scale /= least;
    return std::isfinite(*std::max_element(u->begin(), u->end())) ? u : std::nullopt;
}

Splitting scaled(const Splitting& splitting, const std::vector<double>& u) {
    Splitting result{.h = transposed(in_units(transposed(splitting.h), u)), .b = splitting.b};
    std::transform(u.begin(), u.end(), result.b.begin(), result.b.begin(), std::multiplies<>());
    return result;
}

}  // namespace

std::vector<double> ScaledSplitting::back() const {
    std::vector<double> factors;
    for (const double scale : u) factors.push_back(1 / scale);
    return factors;
}

Histories ScaledSplitting::of_x(Histories histories, const Splitting& stated) const {
    if (!u.empty()) {
        histories.b = transposed(stated.h);
        histories.source = stated.b;
        histories.unit = u;
    }
    return histories;
}

ScaledSplitting scaled_for_walks(Splitting splitting) {
    if (second_moments_shown(almost_optimal(splitting, Method::adjoint, unlimited)).finite) {
        return {std::move(splitting), {}};
    }
    auto u = scales_of(splitting);
    return u ? ScaledSplitting{scaled(splitting, *u), std::move(*u)} : ScaledSplitting{std::move(splitting), {}};
}

}  // namespace mcls
