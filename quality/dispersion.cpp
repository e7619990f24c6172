#include "quality/dispersion.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <vector>

#include "quality/p_values.hpp"

namespace quality {
namespace {

struct Moments {
    double sum = 0;         // sum of the deviations from the expected hits
    double squares = 0;     // sum of their squares
    double neighbours = 0;  // sum of the products of neighbours
};

Moments moments(std::span<const std::uint32_t> hits, double expected) {
    Moments m;
    double before = 0;
    for (const std::uint32_t h : hits) {
        const double deviation = h - expected;
        m.sum += deviation;
        m.squares += deviation * deviation;
        m.neighbours += deviation * before;
        before = deviation;
    }
    return m;
}

struct ChiSquare {
    double value = 0;
    unsigned cells = 0;
};

/// A cell joins neighbouring hit counts until it expects at least 10 streams. A last cell that expects fewer is merged
/// into the one before it.
ChiSquare histogram_chi_square(std::span<const std::uint32_t> hits, unsigned iters, double p) {
    constexpr double least_expected = 10;
    const boost::math::binomial binomial(iters, p);
    std::vector<double> observed(iters + std::size_t{1});
    for (const std::uint32_t h : hits) {
        observed[h]++;
    }
    struct Cell {
        double expected = 0, observed = 0;
    };
    std::vector<Cell> cells(1);
    const double streams = static_cast<double>(hits.size());
    const double mean = iters * p, reach = 40 * std::sqrt(iters * p * (1 - p)) + 1;
    for (unsigned k = 0; k <= iters; k++) {
        if (cells.back().expected >= least_expected) {
            cells.emplace_back();
        }
        cells.back().expected += std::abs(k - mean) > reach ? 0 : streams * boost::math::pdf(binomial, k);
        cells.back().observed += observed[k];
    }
    if (cells.size() > 1 && cells.back().expected < least_expected) {
        cells[cells.size() - 2].expected += cells.back().expected;
        cells[cells.size() - 2].observed += cells.back().observed;
        cells.pop_back();
    }
    ChiSquare chi2;
    chi2.cells = static_cast<unsigned>(cells.size());
    for (const Cell& cell : cells) {
        chi2.value += (cell.observed - cell.expected) * (cell.observed - cell.expected) / cell.expected;
    }
    return chi2;
}

}  // namespace

Dispersion dispersion(std::span<const std::uint32_t> hits, unsigned iters, double p) {
    const double streams = static_cast<double>(hits.size());
    const double variance = iters * p * (1 - p);
    const double kurtosis = 3 + (1 - 6 * p * (1 - p)) / variance;
    const Moments m = moments(hits, iters * p);
    const ChiSquare chi2 = histogram_chi_square(hits, iters, p);

    Dispersion d;
    d.streams = hits.size();
    d.iters = iters;
    d.mean_z = m.sum / std::sqrt(streams * variance);
    d.variance_ratio = m.squares / (streams * variance);
    d.variance_sd = std::sqrt((kurtosis - 1) / streams);
    d.chi2 = chi2.value;
    d.dof = chi2.cells - 1;
    d.neighbour_correlation = m.neighbours / ((streams - 1) * variance);
    d.p_mean = p_of_normal(d.mean_z);
    d.p_variance = p_of_normal((d.variance_ratio - 1) / d.variance_sd);
    d.p_histogram = p_of_chi_square(d.chi2, d.dof);
    d.p_neighbours = p_of_normal(d.neighbour_correlation * std::sqrt(streams - 1));
    return d;
}

}  // namespace quality
