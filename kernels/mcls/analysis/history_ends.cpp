#include "kernels/mcls/analysis/history_ends.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <numeric>

#include "kernels/mcls/analysis/resolvent.hpp"
#include "kernels/mcls/analysis/series.hpp"
#include "kernels/mcls/analysis/strata_means.hpp"

namespace mcls {

namespace {

double square(double x) { return x * x; }

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
    Sparse b = in_units(histories);
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
    b.value = histories.probability;
    const Sparse& chain = b;
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
    const std::vector<double>& unit = histories.unit;
    std::vector<double> c(b.n, 1);
    double first_weight = 1;
    if (histories.method == Method::adjoint) {
        first_weight = 0;
        for (std::uint32_t i = 0; i < b.n; ++i) {
            c[i] = judged.empty() || judged[i] != 0 ? 1 : 0;
            if (histories.start[i] > 0) {
                const double in_units = std::abs(histories.source[i]) * (unit.empty() ? 1 : unit[i]);
                first_weight = std::max(first_weight, in_units / histories.start[i]);
            }
        }
    } else {
        c = absolute(histories.source);
        first_weight = unit.empty() ? 1 : *std::max_element(unit.begin(), unit.end());
    }
    std::vector<double> y = product(b, c);
    Resolvent(b).solve(std::span(y));
    if (!unit.empty()) {
        std::transform(y.begin(), y.end(), unit.begin(), y.begin(), std::divides<>());
    }
    return histories.cutoff * first_weight * *std::max_element(y.begin(), y.end());
}

}  // namespace mcls
