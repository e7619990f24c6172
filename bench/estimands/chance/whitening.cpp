#include "bench/estimands/chance/whitening.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace bench {
namespace {

// A number is determined by others if they leave less than this share of its variance: rounding would fill the rest.
constexpr double least_share = 1e-6;

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

Whitening::Whitening(std::size_t n, std::span<const double> covariance) {
    if (covariance.size() != n * n) throw std::logic_error("a covariance matrix of another size");
    for (std::size_t i = 0; i < n; i++) {
        // With the inverse factor so far, M, the factor's next row is l = M c, and the next row of the inverse is
        // (-l M, 1) / pivot.
        std::vector<double> c;
        for (const std::size_t j : kept_) c.push_back(covariance[i * n + j]);
        std::vector<double> l;
        for (const auto& row : inverse_) l.push_back(dot(row, c));
        const double variance = covariance[i * n + i], pivot = variance - dot(l, l);
        if (pivot <= least_share * variance) {
            continue;
        }
        std::vector<double> next(kept_.size() + 1);
        for (std::size_t j = 0; j < inverse_.size(); j++) {
            for (std::size_t k = 0; k <= j; k++) next[k] -= l[j] * inverse_[j][k];
        }
        next.back() = 1;
        for (double& value : next) value /= std::sqrt(pivot);
        kept_.push_back(i);
        inverse_.push_back(next);
    }
}

double Whitening::squared_length(std::span<const double> numbers) const {
    std::vector<double> kept;
    for (const std::size_t i : kept_) kept.push_back(numbers[i]);
    double sum = 0;
    for (const auto& row : inverse_) {
        const double white = dot(row, kept);
        sum += white * white;
    }
    return sum;
}

double Whitening::most_length(std::span<const double> most) const {
    double sum = 0;
    for (const auto& row : inverse_) {
        double white = 0;
        for (std::size_t k = 0; k < row.size(); k++) white += std::abs(row[k]) * most[kept_[k]];
        sum += white * white;
    }
    return std::sqrt(sum);
}

}  // namespace bench
