// Moments: the variances of sums of X over some states.
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "kernels/mcls/analysis/moments.hpp"
#include "kernels/mcls/analysis/strata_means.hpp"

namespace mcls {
namespace {

// At most so many pools are solved for one by one; more only in small systems.
constexpr std::size_t few_pools = 64;
constexpr std::uint32_t few_states = 4096;

double square(double x) { return x * x; }

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

}  // namespace

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

}  // namespace mcls
