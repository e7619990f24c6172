// Moments of histories by dense matrices, followed forward in time from the start.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/mcls/analysis/histories.hpp"

namespace mcls::dense {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

inline Matrix matrix(const Sparse& sparse, const Vector& value) {
    Matrix result(sparse.n, Vector(sparse.n));
    for (std::uint32_t row = 0; row < sparse.n; ++row) {
        for (std::uint64_t entry = sparse.first[row]; entry < sparse.first[row + 1]; ++entry) {
            result[row][sparse.column[entry]] = value[entry];
        }
    }
    return result;
}

inline double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// a M a'.
inline double between(const Vector& a, const Matrix& m, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * dot(m[i], b);
    }
    return sum;
}

inline Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result(a.size(), Vector(b[0].size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t k = 0; k < b.size(); ++k) {
            if (a[i][k] != 0) {
                for (std::size_t j = 0; j < b[0].size(); ++j) {
                    result[i][j] += a[i][k] * b[k][j];
                }
            }
        }
    }
    return result;
}

struct Moments {
    Vector mean;
    Matrix covariance;
};

/// Of the weight that a history leaves in each state. After each step: w is the expected weight at a state, u that of its square,
/// and a[i][j] that of what i has got so far times the weight at j.
inline Moments visits(const Matrix& b, const Matrix& probability, const Vector& start, const Vector& weight,
                      std::uint64_t steps) {
    const std::size_t n = b.size();
    Matrix squares = b, a(n, Vector(n));
    Vector w(n), u(n);
    for (std::size_t i = 0; i < n; ++i) {
        w[i] = start[i] * weight[i];
        a[i][i] = u[i] = w[i] * weight[i];
        for (std::size_t j = 0; j < n; ++j) {
            squares[i][j] = b[i][j] != 0 ? b[i][j] * b[i][j] / probability[i][j] : 0;
        }
    }
    Moments moments{w, a};
    for (std::uint64_t step = 0; step < steps; ++step) {
        w = product({w}, b)[0];
        u = product({u}, squares)[0];
        a = product(a, b);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                moments.covariance[i][j] += a[i][j] + a[j][i];
            }
            moments.covariance[i][i] += u[i];
            moments.mean[i] += w[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
            a[i][i] += u[i];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            moments.covariance[i][j] -= moments.mean[i] * moments.mean[j];
        }
    }
    return moments;
}

/// The probabilities of the starts of history h, which starts in the h-th part of them.
inline Vector starts_of_stratum(const Histories& histories, std::uint64_t h) {
    const auto strata = static_cast<double>(histories.strata), first = static_cast<double>(h);
    Vector result;
    double end = 0;
    for (const double start : histories.start) {
        const double begin = end;
        end += start * strata;
        result.push_back(std::max(0.0, std::min(end, first + 1) - std::max(begin, first)));
    }
    return result;
}

/// Of X.
inline Moments moments(const Histories& histories) {
    const std::size_t n = histories.b.n;
    const Matrix b = matrix(histories.b, histories.b.value), probability = matrix(histories.b, histories.probability);
    if (histories.method == Method::adjoint) {
        Vector weight(n);
        for (std::size_t i = 0; i < n; ++i) {
            weight[i] = histories.start[i] > 0 ? histories.source[i] / histories.start[i] : 0;
        }
        if (histories.strata == 0) {
            return visits(b, probability, histories.start, weight, histories.steps);
        }
        Moments mean{Vector(n), Matrix(n, Vector(n))};
        for (std::uint64_t h = 0; h < histories.strata; ++h) {
            const Moments of_stratum = visits(b, probability, starts_of_stratum(histories, h), weight, histories.steps);
            for (std::size_t i = 0; i < n; ++i) {
                mean.mean[i] += of_stratum.mean[i] / static_cast<double>(histories.strata);
                for (std::size_t j = 0; j < n; ++j) {
                    mean.covariance[i][j] += of_stratum.covariance[i][j] / static_cast<double>(histories.strata);
                }
            }
        }
        return mean;
    }
    Moments result{Vector(n), Matrix(n, Vector(n))};
    for (std::size_t i = 0; i < n; ++i) {
        Vector unit(n);
        unit[i] = 1;
        const Moments from = visits(b, probability, unit, unit, histories.steps);
        result.mean[i] = dot(from.mean, histories.source);
        result.covariance[i][i] = between(histories.source, from.covariance, histories.source);
    }
    return result;
}

}  // namespace mcls::dense
