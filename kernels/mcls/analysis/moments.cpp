#include "kernels/mcls/analysis/moments.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/analysis/strata_means.hpp"

namespace mcls {
namespace {

double square(double x) { return x * x; }

// y = B y.
void multiply(const Sparse& b, std::vector<Lanes>& y) {
    std::vector<Lanes> next(y.size());
    for (std::uint32_t row = 0; row < b.n; ++row) {
        for (std::uint64_t entry = b.first[row]; entry < b.first[row + 1]; ++entry) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                next[row][lane] += b.value[entry] * y[b.column[entry]][lane];
            }
        }
    }
    y = std::move(next);
}

// z += weight y.
void add_weighted(std::span<Lanes> z, std::span<const double> weight, std::span<const Lanes> y) {
    for (std::size_t i = 0; i < z.size(); ++i) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            z[i][lane] += weight[i] * y[i][lane];
        }
    }
}

}  // namespace

Moments::Moments(Histories histories, std::vector<std::uint8_t> judged)
    : histories_(std::move(histories)), judged_(std::move(judged)) {
    if (histories_.method == Method::adjoint) {
        auto mean = std::async(std::launch::async,
                               [this] { return neumann_sum(histories_.b, histories_.source, histories_.steps); });
        follow_weights();
        mean_ = mean.get();
        components_ = resolvent_ ? resolvent_->components() : components(histories_.b);
    } else {
        mean_ = neumann_sum(transposed(histories_.b), histories_.source, histories_.steps);
        variance_ = second_moments(histories_.b, squared(histories_), histories_.source, histories_.steps);
        const double rounding = 1e-13 * *std::max_element(variance_.begin(), variance_.end());
        for (std::uint32_t i = 0; i < histories_.b.n; ++i) {
            variance_[i] = std::max(variance_[i] - square(mean_[i]), rounding);
        }
        components_ = components(histories_.b);
    }
}

// The sums that weigh() needs are those after all steps and after fewer. They are the same, next to nothing apart, if the steps
// go on for three times as long as judged states have weight: absolute weights fall at most as slowly as the root of the squared
// ones, so what the end of the steps cuts off is below 1e-6^1.5. If they differ by little, and following them is dear, they are
// taken for the same.
void Moments::follow_weights() {
    constexpr double negligible = 1e-12, little = 0.05, dear = 2e8;
    const Sparse squares = squared(histories_);
    const std::vector<double> starts = squared_starts(histories_);
    Series series(squares, starts, negligible);
    std::uint64_t last = 1;  // step with weight
    double share = 1;        // of the last step in the sum of a judged state
    for (std::uint64_t step = 1; step <= histories_.steps && series.advance(); ++step) {
        share = 0;
        for (const std::uint32_t state : series.states()) {
            share = std::max(share, is_judged(state) ? series.term()[state] / series.sum()[state] : 0);
        }
        if (share > 1e-6) {
            last = step;
        }
    }
    second_ = series.sum();
    absolute_ = absolute(histories_.source);
    converged_ = histories_.steps / 3 >= last;
    if (converged_) {
        resolvent_.emplace(histories_.b);
        Resolvent(absolute(transposed(histories_.b))).solve(absolute_);
        return;
    }
    const Sparse absolute_b = absolute(histories_.b);
    Series weights(absolute_b, absolute_, 1e-9);
    std::uint64_t reach = 0;
    while (reach < histories_.steps && weights.advance()) {
        ++reach;
    }
    absolute_ = weights.sum();
    const auto steps = static_cast<double>(reach);
    if (steps * share < little && steps * static_cast<double>(histories_.b.value.size()) > dear) {
        resolvent_.emplace(histories_.b);
        return;
    }
    last_sums_.emplace(squares, starts, negligible, histories_.steps, reach);
}

// c becomes the sum over t of second_ after steps - t steps, times B^t c: for a source c', c'.z + c.z' less the sum of
// second_ c c' is E[(c.X)(c'.X)].
void Moments::weigh(std::span<Lanes> c) const {
    if (resolvent_) {
        resolvent_->solve(c);
        for (std::size_t i = 0; i < c.size(); ++i) {
            for (double& value : c[i]) {
                value *= second_[i];
            }
        }
        return;
    }
    std::vector<Lanes> y(c.begin(), c.end());
    std::fill(c.begin(), c.end(), Lanes{});
    last_sums_->backward([&](const std::vector<double>& second) {
        add_weighted(c, second, y);
        multiply(histories_.b, y);
    });
}

// c becomes the mean of c.X over histories that start at each state with weight 1.
void Moments::follow(std::span<Lanes> c) const {
    if (resolvent_) {
        resolvent_->solve(c);
        return;
    }
    std::vector<Lanes> y(c.begin(), c.end());
    const std::vector<double> ones(c.size(), 1);
    std::fill(c.begin(), c.end(), Lanes{});
    for (std::size_t step = 0; step < last_sums_->size(); ++step) {
        add_weighted(c, ones, y);
        multiply(histories_.b, y);
    }
}

// Of all pairs of functionals of adjoint histories, in a stratum.
std::vector<double> Moments::products_of_means(const std::vector<double>& mean) const {
    constexpr std::size_t count = mcls::functionals, blocks = count / lanes;
    std::vector<double> result(count * count);
    if (!has_strata()) {
        for (std::size_t k = 0; k < count * count; ++k) {
            result[k] = mean[k / count] * mean[k % count];
        }
        return result;
    }
    const std::uint32_t n = histories_.b.n;
    const StrataMeans strata(histories_);
    std::vector<std::vector<Lanes>> y(blocks);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t block = 0; block < blocks; ++block) {
        y[block] = columns(n, block, [&](std::size_t i, std::size_t k) {
            const auto state = static_cast<std::uint32_t>(i);
            return is_judged(state) ? sign(signs_of(state), k) : 0;
        });
        follow(y[block]);
    }
#pragma omp parallel for schedule(dynamic)
    for (std::size_t pair = 0; pair < blocks * blocks; ++pair) {
        const std::size_t row = pair / blocks, column = pair % blocks;
        if (row > column) continue;  // as the transposed pair
        const auto products = strata.products(y[row], y[column]);
        for (std::size_t k = 0; k < lanes * lanes; ++k) {
            const std::size_t i = row * lanes + k / lanes, j = column * lanes + k % lanes;
            result[i * count + j] = result[j * count + i] = products[k / lanes][k % lanes];
        }
    }
    return result;
}

FunctionalMoments Moments::functionals() const {
    const std::uint32_t n = histories_.b.n;
    constexpr std::size_t count = mcls::functionals;
    std::vector<std::uint64_t> signs(n);
    FunctionalMoments result{.mean = std::vector<double>(count), .covariance = std::vector<double>(count * count)};
    for (std::uint32_t i = 0; i < n; ++i) {
        signs[i] = signs_of(i);
        for (std::size_t k = 0; k < count && is_judged(i); ++k) {
            result.mean[k] += sign(signs[i], k) * mean_[i];
        }
    }
    std::vector<double> half(count * count);  // and its transpose
#pragma omp parallel for schedule(dynamic)
    for (std::size_t block = 0; block < count / lanes; ++block) {
        std::vector<Lanes> z = columns(n, block, [&](std::size_t i, std::size_t k) {
            return is_judged(static_cast<std::uint32_t>(i)) ? sign(signs[i], k) : 0;
        });
        if (histories_.method == Method::adjoint) {
            weigh(z);
        }
        SignedSums sums;
        for (std::uint32_t i = 0; i < n; ++i) {
            if (is_judged(i)) {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const double own = sign(signs[i], block * lanes + lane) / 2;
                    z[i][lane] =
                        histories_.method == Method::adjoint ? z[i][lane] - own * second_[i] : own * variance_[i];
                }
                sums.add(signs[i], z[i]);
            }
        }
        for (std::size_t k = 0; k < count; ++k) {
            const Lanes row = sums.of(k);
            std::copy(row.begin(), row.end(), half.begin() + static_cast<std::ptrdiff_t>(k * count + block * lanes));
        }
    }
    const std::vector<double> products =
        histories_.method == Method::adjoint ? products_of_means(result.mean) : std::vector<double>(count * count);
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t l = 0; l < count; ++l) {
            result.covariance[k * count + l] = half[k * count + l] + half[l * count + k] - products[k * count + l];
        }
    }
    return result;
}

}  // namespace mcls
