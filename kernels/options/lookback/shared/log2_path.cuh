// The path in binary logarithms: steps l3 to l8. x_t = log2(s_t / s_0) - t MU log2 e is a sum of shocks, without the drift.
//
// The variance is carried as H = h (log2 e)^2 / A2. Then a day's shock in binary logarithms has the square (A2 z^2) H, and
// the next H is H (A1 + A2 z^2) + A0 (log2 e)^2 / A2: no product has a constant factor.
#pragma once

#include <cuda_runtime.h>

#include "kernels/options/lookback/shared/option.hpp"
#include "kernels/options/lookback/shared/sums.cuh"
#include "kernels/random/normals/xu.cuh"

namespace lookback {

inline constexpr double exact_log2_e = 1.4426950408889634;

/// h as H.
__host__ __device__ constexpr double scaled(double variance) {
    return variance * exact_log2_e * exact_log2_e / variance_of_shock;
}

inline constexpr auto first_scaled_variance = static_cast<float>(scaled(first_variance));

/// Square root of a positive number, by Newton's iteration.
__host__ __device__ constexpr double root_of(double x) {
    double root = x < 1 ? 1 : x;
    for (int i = 0; i < 64; i++) root = (root + x / root) / 2;
    return root;
}

inline constexpr auto first_deviation = static_cast<float>(root_of(scaled(first_variance)));

/// What a path carries from one day to the next, if its step has the normals themselves: x_t, H of the next day and the
/// root of it.
struct Log2Day {
    float x = 0;
    float scaled_variance = first_scaled_variance;
    float deviation = first_deviation;
};

/// The next day. `quarter` is z sqrt(A2) = z / 4.
__host__ __device__ __forceinline__ void advance(Log2Day* day, float quarter) {
    day->x = fmaf(quarter, day->deviation, day->x);
    day->scaled_variance = fmaf(day->scaled_variance, fmaf(quarter, quarter, static_cast<float>(variance_kept)),
                                static_cast<float>(scaled(variance_constant)));
    day->deviation = rng::xu_sqrt(day->scaled_variance);
}

/// e^x for small x: its Taylor polynomial of degree 12.
__host__ __device__ constexpr double exp_of_small(double x) {
    double sum = 1;
    for (int i = 12; i > 0; i--) sum = 1 + sum * x / i;
    return sum;
}

/// s_0 e^(t MU), the price on day t without any shock, in some unit.
__host__ __device__ constexpr double calm_price(unsigned t, double unit) {
    return first_price / unit * exp_of_small(t * drift);
}

/// By how much floats change the differences s_t - s_T of calm prices, in all.
constexpr double rounding_of_calm_prices(unsigned steps, double unit) {
    const auto rounding = [unit](unsigned t) {
        return static_cast<double>(static_cast<float>(calm_price(t, unit))) - calm_price(t, unit);
    };
    double sum = 0;
    for (unsigned t = 0; t < steps; t++) sum += rounding(t) - rounding(steps);
    return sum < 0 ? -sum : sum;
}

/// A unit of prices in which that is small. It is no less than the end of the payoff's grid, so a difference of prices
/// beyond one unit makes a path bad.
constexpr double best_unit(unsigned steps) {
    constexpr unsigned candidates = 64;
    const double least = bench::grid_end(reference_of(steps).bits);
    double best = least;
    for (unsigned i = 1; i < candidates; i++) {
        const double unit = least * (1 + i / double{candidates});
        if (rounding_of_calm_prices(steps, unit) < rounding_of_calm_prices(steps, best)) best = unit;
    }
    return best;
}

/// The end of the payoff's grid.
template <unsigned steps>
inline constexpr double grid_of_payoff = bench::grid_end(reference_of(steps).bits);

template <unsigned steps>
inline constexpr double price_unit = best_unit(steps);

/// a b + c, but 0 if it is less, and 1 if it is more. In PTX because nvcc clamps by an instruction of its own.
__host__ __device__ __forceinline__ float clamped_fma(float a, float b, float c) {
#ifdef __CUDA_ARCH__
    float clamped;
    asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(clamped) : "f"(a), "f"(b), "f"(c));
    return clamped;
#else
    return fminf(fmaxf(fmaf(a, b, c), 0.0f), 1.0f);
#endif
}

/// The payoff of prices that are growth[t] times the calm ones. The multiply-add that subtracts the last price also makes
/// the maximum: it clamps the difference at 0. It clamps it at 1 too, which makes the payoff bad.
template <unsigned steps>
__host__ __device__ __forceinline__ float payoff_of_growth(const float (&growth)[steps + 1]) {
    constexpr double unit = price_unit<steps>;
    const float last = static_cast<float>(calm_price(steps, unit)) * growth[steps];
    float sum = 0;
    for (unsigned t = 0; t < steps; t++) {
        sum += clamped_fma(growth[t], static_cast<float>(calm_price(t, unit)), -last);
    }
    return sum * static_cast<float>(unit);
}

/// x_T in natural logarithms.
__host__ __device__ __forceinline__ float natural(float x) { return x * static_cast<float>(1 / exact_log2_e); }

}  // namespace lookback
