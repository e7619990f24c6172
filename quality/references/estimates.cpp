#include <cmath>

#include "kernels/options/asian/shared/option.hpp"
#include "kernels/options/lookback/shared/option.hpp"
#include "quality/references/references.hpp"

namespace references {
namespace {

template <typename Value>
Estimate over_launches(const std::vector<LaunchMeans>& launches, Value value) {
    const auto n = static_cast<double>(launches.size());
    double sum = 0, squares = 0;
    for (const LaunchMeans& launch : launches) sum += value(launch);
    const double mean = sum / n;
    for (const LaunchMeans& launch : launches) squares += std::pow(value(launch) - mean, 2);
    return {mean, std::sqrt(squares / (n * (n - 1)))};
}

double variance_of(const LaunchMeans& m) { return m.power[2] - m.power[1] * m.power[1]; }

double kurtosis_of(const LaunchMeans& m) {
    const double mean = m.power[1];
    const double fourth = m.power[4] - 4 * mean * m.power[3] + 6 * mean * mean * m.power[2] - 3 * std::pow(mean, 4);
    return fourth / std::pow(variance_of(m), 2);
}

/// Coefficients of the regression of the payoff on the controls.
struct Coefficients {
    double of_control[2] = {0, 0};
};

Coefficients coefficients_of(const Option& option, const std::vector<LaunchMeans>& launches) {
    const auto mean = [&](auto value) { return over_launches(launches, value).value; };
    const double p = mean([](const auto& m) { return m.power[1]; });
    double c[2], variance[2], with_payoff[2];
    for (unsigned i = 0; i < 2; i++) {
        c[i] = mean([i](const auto& m) { return m.control[i]; });
        variance[i] = mean([i](const auto& m) { return m.control_square[i]; }) - c[i] * c[i];
        with_payoff[i] = mean([i](const auto& m) { return m.with_payoff[i]; }) - p * c[i];
    }
    if (option.controls.size() == 1) return {{with_payoff[0] / variance[0], 0}};
    const double both = mean([](const auto& m) { return m.controls_product; }) - c[0] * c[1];
    const double determinant = variance[0] * variance[1] - both * both;
    return {{(with_payoff[0] * variance[1] - with_payoff[1] * both) / determinant,
             (with_payoff[1] * variance[0] - with_payoff[0] * both) / determinant}};
}

}  // namespace

std::vector<Option> options() {
    std::vector<Option> all;
    for (const unsigned steps : {16u, 64u, 256u}) {
        const asian::Model m = asian::model(steps);
        all.push_back({"asian",
                       steps,
                       asian::reference(steps).price,
                       {{"geometric put a", asian::mean_geo_a(m)}, {"geometric put b", asian::mean_geo_b(m)}}});
    }
    for (const lookback::Reference& known : lookback::references) {
        all.push_back({"lookback", known.steps, known.price, {{"twin's payoff", lookback::twin_price(known.steps)}}});
    }
    return all;
}

Estimates estimates_of(const Option& option, const Plan& plan, const std::vector<LaunchMeans>& launches) {
    Coefficients by;
    if (plan.points == Points::random) by = coefficients_of(option, launches);
    const auto price = [&](const LaunchMeans& m) {
        double corrected = m.power[1];
        for (std::size_t i = 0; i < option.controls.size(); i++) {
            corrected -= by.of_control[i] * (m.control[i] - option.controls[i].mean);
        }
        return corrected;
    };
    Estimates estimates = {over_launches(launches, price),
                           over_launches(launches, variance_of),
                           over_launches(launches, kurtosis_of),
                           over_launches(launches, [](const auto& m) { return m.positive; }),
                           {}};
    for (std::size_t i = 0; i < option.controls.size(); i++) {
        estimates.controls.push_back(over_launches(launches, [i](const auto& m) { return m.control[i]; }));
    }
    return estimates;
}

}  // namespace references
