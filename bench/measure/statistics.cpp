#include "bench/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "bench/whole_numbers.hpp"

namespace bench {

std::size_t interval_rank(std::size_t n) {
    // P(Bin(n, 1/2) = i) by logarithms: 2^-n alone underflows from n = 1075 on.
    const auto probability = [n](std::size_t i) {
        const double a = static_cast<double>(n), b = static_cast<double>(i);
        return std::exp(std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1) - a * std::log(2.0));
    };
    double below = 0;
    for (std::size_t j = 0; j <= n; j++) {
        below += probability(j);
        if (below > 0.025) {
            return j;
        }
    }
    return n;
}

namespace {

double median_of_sorted(const std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// Multiplies the distance of `end` from `median` by `stretch`, on a logarithmic scale.
double stretched(double median, double end, double stretch) {
    return median > 0 ? end * std::pow(end / median, stretch - 1) : end;
}

Summary without_interval(const std::vector<double>& sorted) {
    return {median_of_sorted(sorted), sorted.front(), sorted.back(), sorted.front(), sorted.back(), false};
}

}  // namespace

Summary summarize(std::span<const double> values, double times_more) {
    if (values.empty()) {
        throw std::invalid_argument("summarize: no values");
    }
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v) && v >= 0; })) {
        throw std::invalid_argument("summarize: a value is negative or not finite");
    }
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    const std::size_t rank = interval_rank(n);
    if (rank == 0) {
        return without_interval(sorted);
    }
    const double middle = static_cast<double>(n + 1) / 2;
    const double distance = (middle - static_cast<double>(rank)) * std::sqrt(autocorrelation_time(values) / times_more);
    const std::size_t least = std::max<std::size_t>(1, n / 8);
    const auto j = static_cast<std::size_t>(std::max(static_cast<double>(least), middle - distance));
    const double stretch = std::max(1.0, distance / (middle - static_cast<double>(j)));
    const double median = median_of_sorted(sorted);
    return {median,
            stretched(median, sorted[j - 1], stretch),
            stretched(median, sorted[n - j], stretch),
            sorted.front(),
            sorted.back(),
            true};
}

}  // namespace bench
