#include "kernels/mcls/analysis/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <numeric>
#include <optional>
#include <utility>

#include "bench/errors.hpp"
#include "bench/estimands/solution/solution.hpp"
#include "bench/text.hpp"
#include "kernels/mcls/analysis/functionals.hpp"
#include "kernels/mcls/analysis/history_ends.hpp"
#include "kernels/mcls/analysis/moments.hpp"
#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/analysis/truncation.hpp"
#include "kernels/mcls/tables/tables.hpp"

namespace mcls {
namespace {

bool is_judged(const std::vector<std::uint8_t>& judged, std::size_t state) {
    return judged.empty() || judged[state] != 0;
}

/// Of the judged entries.
double norm_of_judged(const std::vector<double>& x, const std::vector<std::uint8_t>& judged) {
    double squares = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        squares += is_judged(judged, j) ? x[j] * x[j] : 0;
    }
    return std::sqrt(squares);
}

double largest_of(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

/// Turns moments into those of the estimate from one history: a forward history estimates one entry of all.
struct Facts {
    const Moments& moments;
    const Histories& histories;
    const std::vector<std::uint8_t>& judged;
    double variance_factor;  // 1, or the number of entries
    double within;           // bias of a sum of entries with coefficients of size 1 at most
};

bench::Functionals functionals_of(const Facts& facts) {
    const FunctionalMoments exact = facts.moments.functionals();
    bench::Functionals functionals{.negative = {}, .exact = {}, .covariance = exact.covariance};
    for (std::uint32_t j = 0; j < facts.histories.b.n; ++j) {
        functionals.negative.push_back(signs_of(j));
    }
    for (const double mean : exact.mean) {
        functionals.exact.push_back({.value = mean, .within = facts.within});
    }
    for (double& covariance : functionals.covariance) {
        covariance *= facts.variance_factor;
    }
    return functionals;
}

void add_groups(bench::SolutionOf& what, const Facts& facts) {
    const auto histories = static_cast<double>(what.histories) * what.share;
    constexpr double least_visits = 10'000;  // then a sum is nearly normal
    const Pools pools = facts.moments.pools(histories, least_visits);
    what.in_groups.assign(pools.state.begin(), pools.state.end());
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
        what.groups.push_back({.end = pools.first[pool + 1],
                               .exact = {.value = pools.law[pool].mean, .within = facts.within},
                               .variance = pools.law[pool].variance * facts.variance_factor});
    }
}

std::optional<bench::Residual> residual_of_run(const Facts& facts, const std::shared_ptr<const Splitting>& splitting) {
    const auto law = facts.moments.squared_residual(1);
    if (!law) {
        return std::nullopt;
    }
    const double spectral_norm_of_h =
        std::sqrt(largest_of(row_sums(splitting->h)) * largest_of(row_sums(facts.histories.b)));
    const double within = (1 + spectral_norm_of_h) * facts.within;
    return bench::Residual{.squared_norm =
                               [splitting](const std::vector<double>& x) {
                                   const double r = norm(residual_of(*splitting, x));
                                   return r * r;
                               },
                           .mean = law->mean,
                           .sd = std::sqrt(law->variance),
                           .relative_to = norm(splitting->b),
                           .within = within * within};
}

/// The largest bias of a sum of entries: the cutoff's, and half a unit at each visit.
double bias_of(const bench::SolutionOf& what, const Histories& histories, double of_cutoff) {
    const double rounding = std::ldexp(0.5 * (what.length.mean + 1), -what.bits);
    const double of_history = of_cutoff + rounding;
    return histories.method == Method::adjoint ? of_history : of_history * static_cast<double>(what.entries);
}

std::vector<double> functionals_of(const std::vector<double>& x, const std::vector<std::uint8_t>& judged) {
    std::vector<double> sums(x.empty() ? 0 : functionals);
    for (std::uint32_t j = 0; j < x.size(); ++j) {
        const std::uint64_t signs = signs_of(j);
        for (std::size_t k = 0; k < sums.size() && is_judged(judged, j); ++k) {
            sums[k] += sign(signs, k) * x[j];
        }
    }
    return sums;
}

/// The norm of what a cutoff takes from the judged entries, at most: `of_cutoff` bounds the sum of it over the entries, or for
/// forward histories each of it.
double norm_of_cutoff(const Histories& histories, double of_cutoff) {
    return histories.method == Method::adjoint ? of_cutoff : of_cutoff * std::sqrt(histories.b.n);
}

}  // namespace

TallySize tally_size(const Histories& histories) {
    const std::vector<double> sizes = absolute(histories.source);
    Sparse b = absolute(histories.b);
    const bool adjoint = histories.method == Method::adjoint;
    const double norm_of_b = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    constexpr double negligible = 1e-9;  // of a term: in a series that converges slowly many of them follow
    const Sparse to = adjoint ? std::move(b) : transposed(b);
    Series series(to, sizes, negligible);
    for (std::uint64_t step = 0; step < histories.steps && series.advance(); ++step) {
    }
    const double largest = largest_of(series.sum());
    return adjoint ? TallySize{largest, norm_of_b} : TallySize{largest / static_cast<double>(sizes.size()), largest};
}

int bits_of(const TallySize& size, std::uint64_t histories, const char* advice) {
    constexpr int least_bits = 20;
    constexpr double few = 16, useful = 1000;
    const int of_entry = std::ilogb(size.of_entry);
    const int bits = std::min(tally_bits(static_cast<double>(histories), size.mean), tally_bits(few, size.of_entry));
    if (bits + of_entry >= least_bits) return bits;
    const double most = std::ldexp(1 / size.mean, 60 - least_bits + of_entry);  // tally_bits() for the histories
    throw bench::UsageError(most < useful
                                ? fmt::format("the weights of a history grow too large for 64-bit tallies{}", advice)
                                : fmt::format("64-bit tallies hold {} histories: use fewer --histories",
                                              bench::grouped(static_cast<std::uint64_t>(most))));
}

Ends add_moments(bench::SolutionOf& what, const std::shared_ptr<const Splitting>& splitting, const Histories& histories,
                 const std::vector<std::uint8_t>& judged) {
    auto cutoff = std::async(std::launch::async, [&] { return cutoff_bias(histories, judged); });
    const Moments moments(histories, judged);
    auto left = std::async(std::launch::async, [&] { return left_out(*splitting, moments.mean()); });
    const double of_cutoff = cutoff.get();
    const Facts facts{moments, histories, judged, 1 / what.share, bias_of(what, histories, of_cutoff)};
    what.judged.assign(judged.begin(), judged.end());
    what.variance = moments.total_variance() * facts.variance_factor;
    what.functionals = functionals_of(facts);
    add_groups(what, facts);
    what.residual = residual_of_run(facts, splitting);

    const LeftOut by_steps = left.get();
    std::vector<double> x = moments.mean();
    std::transform(by_steps.x.begin(), by_steps.x.end(), x.begin(), x.begin(), std::plus<>());
    what.norm = norm(x);
    what.judged_norm = norm_of_judged(x, judged);
    const Ends ends = {.residual = by_steps.residual,
                       .of_steps = norm_of_judged(by_steps.x, judged) / what.judged_norm,
                       .halved_by = by_steps.halved_by,
                       .of_cutoff = norm_of_cutoff(histories, of_cutoff) / what.judged_norm};
    what.ends = {.of_functionals = functionals_of(by_steps.x, judged), .most = ends.of_steps + ends.of_cutoff};
    return ends;
}

}  // namespace mcls
