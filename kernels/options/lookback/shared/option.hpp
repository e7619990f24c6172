// The lookback option with GARCH volatility: its parameters, its exact moments, its reference prices, and one path in
// double. .cu files include it, so it is C++17.
//
// The price starts at s_0 = 100. For t = 1 to T, with independent unit normals Z_t,
//
//   h_t = A0 + A1 h_{t-1} + A2 eps_{t-1}^2      eps_t = Z_t sqrt(h_t)      s_t = s_{t-1} exp(MU + eps_t)
//
// h is the variance of a day's log return, and MU its drift. The payoff is the sum over t = 0 to T - 1 of
// max(s_t - s_T, 0), not discounted.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "bench/estimands/means/means_of.hpp"
#include "kernels/random/normals/normals_of.hpp"

namespace lookback {

// Every parameter is a multiple of a power of two that a float holds exactly.
inline constexpr double first_price = 100;
inline constexpr double drift = 1.0 / 8192;                // MU
inline constexpr double variance_constant = 1.0 / 131072;  // A0
inline constexpr double variance_kept = 29.0 / 32;         // A1
inline constexpr double variance_of_shock = 1.0 / 16;      // A2
inline constexpr double volatility_before = 1.0 / 32;      // sqrt(h_0), twice the stationary one
inline constexpr double shock_before = -1.0 / 32;          // eps_0

/// h_t from h_{t-1} and eps_{t-1}^2.
template <typename Real>
__host__ __device__ constexpr Real next_variance(Real variance, Real shock_squared) {
    return Real(variance_constant) + Real(variance_kept) * variance + Real(variance_of_shock) * shock_squared;
}

/// h_1, which no path changes.
inline constexpr double first_variance =
    next_variance(volatility_before * volatility_before, shock_before* shock_before);

/// E h_t, t from 1: E eps^2 = E h.
__host__ __device__ constexpr double mean_variance(unsigned t) {
    double mean = first_variance;
    for (unsigned i = 1; i < t; i++) mean = next_variance(mean, mean);
    return mean;
}

/// Moments of x_T = ln(s_T / s_0) - T MU, the sum of the eps_t. Its mean and its third moment are 0.
struct Moments {
    double variance, fourth;
};

/// Exact, from recursions for E h^2, E x^2 h and E x^4 that follow from E eps^2 = E h and E eps^4 = 3 E h^2.
constexpr Moments moments_of_return(unsigned steps) {
    constexpr double kept = variance_kept + variance_of_shock;
    constexpr double of_squares = variance_kept * variance_kept + 2 * variance_kept * variance_of_shock +
                                  3 * variance_of_shock * variance_of_shock;
    double h = first_variance, h_squared = h * h;         // E h_t, E h_t^2
    double x_squared = 0, x_squared_h = 0, x_fourth = 0;  // E x_{t-1}^2, E x_{t-1}^2 h_t, E x_{t-1}^4
    for (unsigned t = 1; t <= steps; t++) {
        x_fourth += 6 * x_squared_h + 3 * h_squared;
        x_squared += h;
        x_squared_h =
            variance_constant * x_squared + kept * x_squared_h + (variance_kept + 3 * variance_of_shock) * h_squared;
        h_squared = variance_constant * variance_constant + 2 * variance_constant * kept * h + of_squares * h_squared;
        h = next_variance(h, h);
    }
    return {x_squared, x_fourth};
}

/// Mean payoff if the variance on day t is variance_of(t), t = 1 to `steps`, on every path. The prices are then log-normal.
/// A term of the payoff is s_t times a Black-Scholes put on the remaining days, which are independent of s_t.
template <typename VarianceOf>
double price_with_variances(unsigned steps, VarianceOf&& variance_of) {
    const auto normal_cdf = [](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; };
    double price = 0, variance = 0;  // of the remaining days
    for (unsigned days = 1; days <= steps; days++) {
        const unsigned t = steps - days;
        variance += variance_of(t + 1);
        double before = 0;
        for (unsigned i = 1; i <= t; i++) before += variance_of(i);
        const double deviation = std::sqrt(variance), d = -drift * days / deviation;
        const double growth = std::exp(drift * days + variance / 2);
        price += std::exp(drift * t + before / 2) * (normal_cdf(d) - growth * normal_cdf(d - deviation));
    }
    return first_price * price;
}

/// Mean payoff of the twin: the path whose variance on day t is E h_t.
inline double twin_price(unsigned steps) { return price_with_variances(steps, mean_variance); }

/// What is known about the payoff of T steps.
struct Reference {
    unsigned steps;
    bench::Expected price, variance;
    double kurtosis;
    bench::Expected zero;  // share of paths that pay nothing
    int bits;              // of the payoff's grid
    const char* how;
};

inline constexpr const char* how = "shifted Sobol points in double precision";

/// Every T that has a reference: 128 shifted sets of 2^24 Sobol points (options_references; quality/references/references.json).
/// Independent programs gave 17.7981436 +- 4.3e-6, 41.106635 +- 8.1e-5, 250.7774 +- 0.0032 and 1433.471 +- 0.036.
inline constexpr Reference references[] = {
    {8, {17.7981409, 9.6e-7}, {474.72914, 1.5e-4}, 5.66626, {0.1933654, 1.4e-6}, 10, how},
    {15, {41.1066275, 3.5e-6}, {2459.1223, 0.0012}, 5.74191, {0.1385374, 2.4e-6}, 10, how},
    {64, {250.775826, 7.8e-5}, {86436.37, 0.22}, 5.9153, {0.0607330, 2.5e-6}, 7, how},
    {256, {1433.45615, 0.0012}, {2848327, 12}, 5.34445, {0.0357877, 2.1e-6}, 4, how},
};

/// The reference for `steps`. Throws std::logic_error without one, so a kernel with such a T does not compile if it asks
/// in a constant expression.
constexpr const Reference& reference_of(unsigned steps) {
    for (const Reference& reference : references) {
        if (reference.steps == steps) return reference;
    }
    throw std::logic_error("a lookback option without a reference price");
}

inline constexpr unsigned most_steps = 256;

/// One path.
struct Path {
    double payoff;
    double twin;        // payoff of the twin with the same normals
    double log_return;  // x_T
};

/// The path of `steps` calls of `normal`, at most most_steps, in double.
#ifdef __CUDACC__
#pragma nv_exec_check_disable  // `normal` may be for the host alone
#endif
template <typename Normal>
__host__ __device__ Path path(unsigned steps, Normal&& normal) {
    double price[most_steps], twin_price[most_steps];
    double variance = first_variance, mean = first_variance, log_return = 0, twin_return = 0;
    for (unsigned t = 0; t < steps; t++) {
        price[t] = first_price * exp(t * drift + log_return);
        twin_price[t] = first_price * exp(t * drift + twin_return);
        const double z = normal();
        const double shock = z * sqrt(variance);
        log_return += shock;
        twin_return += z * sqrt(mean);
        variance = next_variance(variance, shock * shock);
        mean = next_variance(mean, mean);
    }
    const double last = first_price * exp(steps * drift + log_return);
    const double twin_last = first_price * exp(steps * drift + twin_return);
    Path result = {0, 0, log_return};
    for (unsigned t = 0; t < steps; t++) {
        result.payoff += fmax(price[t] - last, 0.0);
        result.twin += fmax(twin_price[t] - twin_last, 0.0);
    }
    return result;
}

/// The constant that takes the place of every normal in the steps without random numbers.
inline constexpr double constant_normal = -1.0 / 8;

/// By which share float arithmetic may move a price. Tests measure less.
inline constexpr double usual_float_error = 5e-7;
/// The same if each day's price is the one before times an exponential: the errors of the exponentials add up.
constexpr double float_error_of_products(unsigned steps) { return 1.5e-7 * steps; }
/// By how much it may move the mean of x_T.
constexpr double float_error_of_return(unsigned steps) { return steps > 10 ? 2e-8 * steps : 2e-7; }

/// What the steps of this ladder publish: payoff, the twin's payoff if it is a control, x_T.
struct Published {
    unsigned steps;
    const char* generator;  // text for the report
    bench::Soundness soundness;
    bool twin = false;
    double float_error = usual_float_error;
    bench::Independent independent = bench::Independent::samples;
    std::uint64_t most_paths = 0;      // of a launch, from a set of points; 0: no limit
    rng::NormalsOf normals = nullptr;  // with which the host replays a thread's paths
};

inline constexpr int return_bits = 19;

/// The facts of a step with random numbers. Throws std::logic_error if T has no reference.
bench::MeansOf facts_of(const Published& what);

/// The facts of a step in which constant_normal takes the place of every normal.
bench::MeansOf constant_facts(unsigned steps);

}  // namespace lookback
