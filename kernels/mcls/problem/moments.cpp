#include "kernels/mcls/problem/moments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

#include "kernels/mcls/problem/series.hpp"
#include "kernels/mcls/problem/strata_means.hpp"

namespace mcls {
namespace {

// At most so many pools are solved for one by one; more only in small systems.
constexpr std::size_t few_pools = 64;
constexpr std::uint32_t few_states = 4096;

double square(double x) { return x * x; }

// The first weight squared times its probability.
std::vector<double> squared_starts(const Histories& histories) {
    std::vector<double> result(histories.source.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = histories.start[i] > 0 ? square(histories.source[i]) / histories.start[i] : 0;
    }
    return result;
}

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

// Columns 16 block, 16 block + 1, ... of a matrix of coefficients.
template <class Coefficient>
std::vector<Lanes> columns(std::size_t rows, std::size_t block, Coefficient coefficient) {
    std::vector<Lanes> result(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            result[row][lane] = coefficient(row, block * lanes + lane);
        }
    }
    return result;
}

// A colour below 64 for each run, so that runs two entries of B apart or less have different ones if possible, plus 64 or 0 at
// random.
std::vector<std::uint8_t> colours_of(std::span<const std::uint32_t> first, const Components& components,
                                     const Sparse& b, std::span<const std::uint32_t> run_of) {
    constexpr std::uint8_t none = 255;
    std::vector<std::uint8_t> colours(first.size() - 1, none);
    std::vector<std::uint32_t> near, next;
    for (std::uint32_t run = 0; run < colours.size(); ++run) {
        near.assign(1, run);
        for (int distance = 0; distance < 2; ++distance) {
            next = near;
            for (const std::uint32_t from : near) {
                for (std::uint32_t place = first[from]; place < first[from + 1]; ++place) {
                    for (const std::uint32_t state : b.columns_of(components.state[place])) {
                        next.push_back(run_of[state]);
                    }
                }
            }
            std::sort(next.begin(), next.end());
            next.erase(std::unique(next.begin(), next.end()), next.end());
            std::swap(near, next);
        }
        std::uint64_t taken = 0;
        for (const std::uint32_t other : near) {
            taken |= colours[other] == none ? 0 : std::uint64_t{1} << colours[other];
        }
        // From a place that looks random, so that runs of the same colour are not regularly spaced.
        auto colour = static_cast<std::uint8_t>(signs_of(run) % functionals);
        for (std::size_t tried = 1; tried < functionals && (taken >> colour & 1) != 0; ++tried) {
            colour = (colour + 1) % functionals;
        }
        colours[run] = colour;
    }
    for (std::uint32_t run = 0; run < colours.size(); ++run) {
        colours[run] |= signs_of(run) & functionals;
    }
    return colours;
}

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

// Of the sum of X over each run.
std::vector<double> Moments::second_moments_of(std::span<const std::uint32_t> first, std::size_t probes) const {
    const std::size_t runs = first.size() - 1;
    std::vector<double> result(runs), squares(runs);
    std::vector<std::uint32_t> run_of(components_.state.size());
    for (std::size_t run = 0; run < runs; ++run) {
        for (std::uint32_t place = first[run]; place < first[run + 1]; ++place) {
            run_of[components_.state[place]] = static_cast<std::uint32_t>(run);
            squares[run] += second_[components_.state[place]];
        }
    }
    std::optional<std::vector<double>> within;
    if (resolvent_) {
        within = resolvent_->sums_within(first, second_);
    }
    if (!within) {
        const bool each = runs <= few_pools || run_of.size() <= few_states;
        const std::vector<std::uint8_t> colours =
            each ? std::vector<std::uint8_t>{} : colours_of(first, components_, histories_.b, run_of);
        // Row `colour` of a Hadamard matrix: the products of two rows add up to 0, so runs of different colours do not mix. Runs
        // of one colour have random signs.
        const auto coefficient = [&](std::size_t run, std::size_t k) -> double {
            return each ? (run == k ? 1 : 0) : 1 - 2 * (std::popcount(colours[run] & (k | mcls::functionals)) % 2);
        };
        const std::size_t blocks = each ? (runs + lanes - 1) / lanes : probes / lanes;
        std::vector<std::vector<double>> sums(blocks, std::vector<double>(runs));
#pragma omp parallel for schedule(dynamic)
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::vector<Lanes> of_run = columns(runs, block, coefficient);
            std::vector<Lanes> z(run_of.size());
            for (std::size_t i = 0; i < z.size(); ++i) {
                z[i] = of_run[run_of[i]];
            }
            weigh(z);
            for (std::size_t i = 0; i < z.size(); ++i) {
                sums[block][run_of[i]] += std::inner_product(z[i].begin(), z[i].end(), of_run[run_of[i]].begin(), 0.0) /
                                          (each ? 1 : static_cast<double>(probes));
            }
        }
        within.emplace(runs);
        for (const std::vector<double>& of_block : sums) {
            std::transform(of_block.begin(), of_block.end(), within->begin(), within->begin(), std::plus<>());
        }
    }
    for (std::size_t run = 0; run < runs; ++run) {
        result[run] = 2 * (*within)[run] - squares[run];
    }
    return result;
}

// Of the sum of X over each run.
std::vector<double> Moments::run_variances(std::span<const std::uint32_t> first, std::size_t probes) const {
    const std::size_t runs = first.size() - 1;
    if (histories_.method == Method::adjoint) {
        std::vector<double> result = second_moments_of(first, probes);
        const std::vector<double> squares = squares_of_means(first);
        std::transform(result.begin(), result.end(), squares.begin(), result.begin(), std::minus<>());
        return result;
    }
    std::vector<double> result(runs);
    for (std::size_t run = 0; run < runs; ++run) {
        for (std::uint32_t place = first[run]; place < first[run + 1]; ++place) {
            result[run] += variance_[components_.state[place]];
        }
    }
    return result;
}

// Of the sum of X over each run, in a stratum; in large systems those of the means of all histories, which are smaller.
std::vector<double> Moments::squares_of_means(std::span<const std::uint32_t> first) const {
    const std::size_t runs = first.size() - 1;
    std::vector<double> result(runs);
    if (!has_strata() || histories_.b.n > few_states) {
        for (std::size_t run = 0; run < runs; ++run) {
            for (std::uint32_t place = first[run]; place < first[run + 1]; ++place) {
                result[run] += mean_[components_.state[place]];
            }
            result[run] = square(result[run]);
        }
        return result;
    }
    const StrataMeans strata(histories_);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t begin = 0; begin < runs; begin += lanes) {
        const std::size_t end = std::min(begin + lanes, runs);
        std::vector<Lanes> y(histories_.b.n);
        for (std::size_t run = begin; run < end; ++run) {
            for (std::uint32_t place = first[run]; place < first[run + 1]; ++place) {
                y[components_.state[place]][run - begin] = 1;
            }
        }
        follow(y);
        const auto products = strata.products(y, y);
        for (std::size_t run = begin; run < end; ++run) {
            result[run] = products[run - begin][run - begin];
        }
    }
    return result;
}

double Moments::total_variance() const {
    std::vector<std::uint32_t> each(components_.state.size() + 1);
    std::iota(each.begin(), each.end(), 0);
    const std::vector<double> variances = run_variances(each, lanes);  // errors of single states average out
    return std::accumulate(variances.begin(), variances.end(), 0.0) -
           (has_strata() && histories_.b.n > few_states ? variance_of_starts() : 0);
}

struct Moments::Runs {
    std::vector<std::uint32_t> first{0};
    std::vector<bool> is_pool;

    void close(std::size_t end, bool pool) {
        if (end > first.back()) {
            first.push_back(static_cast<std::uint32_t>(end));
            is_pool.push_back(pool);
        }
    }
    // What is left before `end` joins the pool before it, if that began at `begin` or later.
    void close_rest(std::size_t begin, std::size_t end) {
        if (end > first.back() && !is_pool.empty() && is_pool.back() && first[first.size() - 2] >= begin) {
            first.back() = static_cast<std::uint32_t>(end);
        } else {
            close(end, false);
        }
    }
};

Pools Moments::pools(double histories, double visits) const {
    Runs runs;
    for (std::uint32_t component = 0; component < components_.size(); ++component) {
        double absolute = 0, squares = 0, count = 0;
        for (std::size_t place = components_.first[component]; place < components_.first[component + 1]; ++place) {
            const std::uint32_t state = components_.state[place];
            if (!is_judged(state)) {
                runs.close_rest(components_.first[component], place);
                runs.close(place + 1, false);
                absolute = squares = count = 0;
                continue;
            }
            if (histories_.method == Method::adjoint) {
                absolute += absolute_[state];
                squares += second_[state];
                count = squares > 0 ? square(absolute) / squares : 0;
            } else {
                count += 1;
            }
            if (histories * count >= visits) {
                runs.close(place + 1, true);
                absolute = squares = count = 0;
            }
        }
        runs.close_rest(components_.first[component], components_.first[component + 1]);
    }
    const std::vector<double> variances = run_variances(runs.first, mcls::functionals);
    Pools pools{.state = {}, .first = {0}, .law = {}};
    for (std::size_t run = 0; run < variances.size(); ++run) {
        if (runs.is_pool[run]) {
            MeanVariance law{.mean = 0, .variance = variances[run]};
            for (std::uint32_t place = runs.first[run]; place < runs.first[run + 1]; ++place) {
                pools.state.push_back(components_.state[place]);
                law.mean += mean_[components_.state[place]];
            }
            pools.first.push_back(static_cast<std::uint32_t>(pools.state.size()));
            pools.law.push_back(law);
        }
    }
    return pools;
}

// A start at state i adds first weight times row i of G = (I - B)^-1 on average. The square of that row's norm is the sum over
// unit vectors c of (G c)_i^2, and the mean of the same over vectors of random signs.
double Moments::variance_of_starts() const {
    const std::uint32_t n = histories_.b.n;
    const Resolvent resolvent(histories_.b);
    const std::vector<double> starts = squared_starts(histories_);
    const bool each = n <= few_states;
    const std::size_t blocks = each ? (n + lanes - 1) / lanes : mcls::functionals / lanes;
    std::vector<double> sums(blocks);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t block = 0; block < blocks; ++block) {
        std::vector<Lanes> y = columns(n, block, [&](std::size_t i, std::size_t k) {
            return each ? (i == k ? 1 : 0) : sign(signs_of(static_cast<std::uint32_t>(i)), k);
        });
        resolvent.solve(y);
        for (std::uint32_t i = 0; i < n; ++i) {
            sums[block] += starts[i] * std::inner_product(y[i].begin(), y[i].end(), y[i].begin(), 0.0);
        }
    }
    const double squares =
        std::accumulate(sums.begin(), sums.end(), 0.0) / (each ? 1 : static_cast<double>(mcls::functionals));
    return squares - std::inner_product(mean_.begin(), mean_.end(), mean_.begin(), 0.0);
}

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

namespace {

// The mean over the strata of the square of the mean visits there.
double square_of_visits(const Histories& histories, const Sparse& chain, double visits) {
    if (histories.strata == 0) {
        return square(visits);
    }
    Histories counted = histories;
    counted.source = histories.start;  // first weights 1
    return StrataMeans(counted).square(
        neumann_sum(transposed(chain), std::vector<double>(chain.n, 1.0), histories.steps));
}

}  // namespace

std::optional<MeanVariance> transitions(const Histories& histories) {
    const Sparse& b = histories.b;
    double least = INFINITY, most = 0, least_sum = INFINITY;  // of factors; of sums of probabilities
    for (std::uint32_t row = 0; row < b.n; ++row) {
        double sum = 0;
        for (std::uint64_t entry = b.first[row]; entry < b.first[row + 1]; ++entry) {
            const double factor = std::abs(b.value[entry]) / histories.probability[entry];
            least = std::min(least, factor);
            most = std::max(most, factor);
            sum += histories.probability[entry];
        }
        least_sum = std::min(least_sum, sum);
    }
    constexpr double rounding = 1e-6;  // of probabilities to multiples of 2^-32, too
    const bool endless = least_sum > 1 - rounding;
    if (histories.cutoff > 0) {
        const auto count_with = [&](double factor) {
            std::uint64_t count = 0;
            for (double weight = 1; weight >= histories.cutoff && count < histories.steps; weight *= factor) {
                ++count;
            }
            return count;
        };
        if (!endless || most + rounding >= 1 || count_with(least - rounding) != count_with(most + rounding)) {
            return std::nullopt;
        }
        return MeanVariance{.mean = static_cast<double>(count_with(most)), .variance = 0};
    }
    if (endless) {
        return MeanVariance{.mean = static_cast<double>(histories.steps), .variance = 0};
    }
    // A history visits one state more than it has transitions. Weights 1 count visits.
    Sparse chain = b;
    chain.value = histories.probability;
    const std::vector<double> ones(b.n, 1);
    auto second = std::async(std::launch::async, [&] { return second_moments(chain, chain, ones, histories.steps); });
    const std::vector<double> starts =
        histories.method == Method::adjoint ? histories.start : std::vector<double>(b.n, 1.0 / b.n);
    const std::vector<double> visits_of = neumann_sum(chain, starts, histories.steps);
    const double visits = std::accumulate(visits_of.begin(), visits_of.end(), 0.0);
    const double square_of_means = square_of_visits(histories, chain, visits);
    const std::vector<double> squares = second.get();
    const double visits_squared = std::inner_product(starts.begin(), starts.end(), squares.begin(), 0.0);
    return MeanVariance{.mean = visits - 1, .variance = visits_squared - square_of_means};
}

// A history that ends at state i with less than cutoff times its first weight leaves out at most that times row i of
// (I - |B|)^-1 |B|.
double cutoff_bias(const Histories& histories, const std::vector<std::uint8_t>& judged) {
    if (histories.cutoff <= 0) {
        return 0;
    }
    const Sparse b = absolute(histories.b);
    std::vector<double> c(b.n, 1);
    double first_weight = 1;
    if (histories.method == Method::adjoint) {
        first_weight = 0;
        for (std::uint32_t i = 0; i < b.n; ++i) {
            c[i] = judged.empty() || judged[i] != 0 ? 1 : 0;
            if (histories.start[i] > 0) {
                first_weight = std::max(first_weight, std::abs(histories.source[i]) / histories.start[i]);
            }
        }
    } else {
        c = absolute(histories.source);
    }
    std::vector<double> y = product(b, c);
    Resolvent(b).solve(std::span(y));
    return histories.cutoff * first_weight * *std::max_element(y.begin(), y.end());
}

}  // namespace mcls
