// Moments: the squared residual of the mean of histories.
#include <utility>

#include "kernels/mcls/analysis/moments.hpp"
#include "kernels/mcls/analysis/strata_means.hpp"

namespace mcls {
namespace {

double square(double x) { return x * x; }

// A product of a matrix and its transpose with weights between, K = H diag(u) H^T: its diagonal, and the sum of squares of each row.
struct Gram {
    std::vector<double> diagonal, squares;
};

Gram gram(const Sparse& h, const Sparse& h_transposed, std::span<const double> u) {
    Gram result{.diagonal = std::vector<double>(h.n), .squares = std::vector<double>(h.n)};
#pragma omp parallel
    {
        std::vector<double> row(h.n);
        std::vector<std::uint32_t> used;
#pragma omp for schedule(static)
        for (std::uint32_t i = 0; i < h.n; ++i) {
            for (std::uint64_t a = h.first[i]; a < h.first[i + 1]; ++a) {
                const std::uint32_t j = h.column[a];
                const double factor = h.value[a] * u[j];
                for (std::uint64_t b = h_transposed.first[j]; b < h_transposed.first[j + 1]; ++b) {
                    row[h_transposed.column[b]] += factor * h_transposed.value[b];
                    used.push_back(h_transposed.column[b]);
                }
            }
            result.diagonal[i] = row[i];
            for (const std::uint32_t k : used) {
                result.squares[i] += square(std::exchange(row[k], 0));
            }
            used.clear();
        }
    }
    return result;
}

}  // namespace

// With D = diag(second_): N times the covariance of the residual is D - K - b b^T, with K = H D H^T.
std::optional<MeanVariance> Moments::squared_residual(double histories) const {
    if (!converged_ || !judged_.empty()) {
        return std::nullopt;
    }
    const std::vector<double>& b = histories_.source;
    const Gram k = gram(transposed(histories_.b), histories_.b, second_);
    if (has_strata()) {
        return residual_of_strata(k.diagonal, k.squares, histories);
    }
    const std::vector<double> hb = product(histories_.b, b);  // H^T b
    double trace = 0, of_square = 0, of_b = 0, norm = 0;
    for (std::uint32_t i = 0; i < histories_.b.n; ++i) {
        trace += second_[i] - k.diagonal[i];
        of_square += square(second_[i]) - 2 * second_[i] * k.diagonal[i] + k.squares[i];
        of_b += second_[i] * (square(b[i]) - square(hb[i]));
        norm += square(b[i]);
    }
    return MeanVariance{.mean = (trace - norm) / histories,
                        .variance = 2 * (of_square - 2 * of_b + square(norm)) / square(histories)};
}

// With strata the mean b of what the first visits add is one in each stratum. Their products between states are left out of the
// variance: only strata at the border of two states have some.
MeanVariance Moments::residual_of_strata(const std::vector<double>& diagonal, const std::vector<double>& squares,
                                         double histories) const {
    const std::vector<double> starts = StrataMeans(histories_).squares();
    double trace = 0, of_square = 0;
    for (std::uint32_t i = 0; i < histories_.b.n; ++i) {
        const double d = second_[i] - starts[i];
        trace += d - diagonal[i];
        of_square += square(d) - 2 * d * diagonal[i] + squares[i];
    }
    return {.mean = trace / histories, .variance = 2 * of_square / square(histories)};
}

}  // namespace mcls
