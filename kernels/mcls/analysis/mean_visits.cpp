#include "kernels/mcls/analysis/mean_visits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "kernels/mcls/analysis/resolvent.hpp"

namespace mcls {
namespace {

using Vector = std::vector<double>;

constexpr double close = 1e-9, near = 1.0 / 3;
constexpr int few_iterations = 200, most_iterations = 1000;

double inner(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

// a += factor b.
void add(Vector& a, double factor, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] += factor * b[i];
    }
}

double largest_size(const Vector& values) {
    return std::transform_reduce(
        values.begin(), values.end(), 0.0, [](double a, double b) { return a < b || std::isnan(b) ? b : a; },
        [](double value) { return std::abs(value); });
}

// (I - M) y.
Vector applied(const Sparse& m, const Vector& y) {
    Vector result = y;
    add(result, -1, product(m, y));
    return result;
}

bool is_enough(double residual, int iterations) {
    return residual <= (iterations < few_iterations ? close : near) || iterations == most_iterations;
}

Vector iterated(const Sparse& m) {
    Vector y(m.n), r(m.n, 1), p = r;
    const Vector shadow = r;
    double rho = inner(shadow, r);
    for (int iterations = 0; std::isfinite(rho) && !is_enough(largest_size(r), iterations); ++iterations) {
        const Vector v = applied(m, p);
        const double alpha = rho / inner(shadow, v);
        add(r, -alpha, v);
        const Vector t = applied(m, r);
        const double squares = inner(t, t), omega = squares > 0 ? inner(t, r) / squares : 0;
        add(y, alpha, p);
        add(y, omega, r);
        add(r, -omega, t);
        const double beta = inner(shadow, r) / rho * (alpha / omega);
        rho = inner(shadow, r);
        add(p, -omega, v);
        for (std::size_t i = 0; i < p.size(); ++i) {
            p[i] = r[i] + beta * p[i];
        }
    }
    return y;
}

Vector solution(const Sparse& m) {
    const Resolvent resolvent(m);
    if (!resolvent.eliminates()) {
        return iterated(m);
    }
    Vector y(m.n, 1);
    resolvent.solve(std::span(y));
    return y;
}

}  // namespace

double MeanVisits::largest() const { return *std::max_element(value.begin(), value.end()) / (1 - within); }

std::optional<MeanVisits> mean_visits(const Sparse& m) {
    MeanVisits found{.value = solution(m), .within = 0};
    Vector residual(m.n, 1);
    add(residual, -1, applied(m, found.value));
    found.within = largest_size(residual);
    const bool positive = std::all_of(found.value.begin(), found.value.end(), [](double y) { return y > 0; });
    return positive && found.within <= near ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace mcls
