#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

constexpr std::size_t fewest_batches = 8;
constexpr double caution = 0.75;         // standard errors added to an autocorrelation
constexpr double most_dependent = 0.99;  // 1 would make the time infinite

/// The rank of each value, counted from the middle; equal values share the mean of their ranks.
std::vector<double> centred_ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        while (end < order.size() && values[order[end]] == values[order[first]]) end++;
        const double rank = (static_cast<double>(first + end) - static_cast<double>(order.size())) / 2;
        for (std::size_t i = first; i < end; i++) ranks[order[i]] = rank;
    }
    return ranks;
}

/// The means of successive pairs. Omits the first of an odd number of values.
std::vector<double> means_of_pairs(const std::vector<double>& values) {
    std::vector<double> means;
    for (std::size_t i = values.size() % 2; i < values.size(); i += 2) {
        means.push_back((values[i] + values[i + 1]) / 2);
    }
    return means;
}

struct Dependence {
    double variance;
    double widening;  // of the variance of their mean
};

Dependence dependence(const std::vector<double>& values) {
    const double n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0, products = 0;
    for (std::size_t i = 0; i < values.size(); i++) {
        squares += (values[i] - mean) * (values[i] - mean);
        if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
    }
    if (squares == 0) {
        return {0, 1};
    }
    const double measured = products / squares;
    const double unbiased = measured + (1 + 3 * measured) / n;
    const double r = std::clamp(unbiased + caution * std::sqrt((1 - measured * measured) / n), 0.0, most_dependent);
    return {squares / (n - 1), (1 + r) / (1 - r)};
}

}  // namespace

double autocorrelation_time(std::span<const double> values) {
    std::vector<double> means = centred_ranks(values);
    const double variance = dependence(means).variance;
    if (means.size() < 2 || variance == 0) {
        return 1;
    }
    double time = 1;
    for (double length = 1;; length *= 2) {
        const Dependence of_means = dependence(means);
        time = std::max(time, length * of_means.variance / variance * of_means.widening);
        if (means.size() / 2 < fewest_batches) {
            return std::min(time, static_cast<double>(values.size()));
        }
        means = means_of_pairs(means);
    }
}

}  // namespace bench
