// The path of step l4, with its twin.
#pragma once

#include "kernels/options/lookback/shared/log2_path.cuh"
#include "kernels/random/normals/box_muller.cuh"

namespace lookback {

/// What l4 publishes of a path.
struct TwinValues {
    float payoff, twin, log_return;
};

/// A quarter of two normals.
struct QuarterPair {
    float first, second;
};

/// Box-Muller with polynomials, of which a quarter is the scale.
__host__ __device__ __forceinline__ QuarterPair quarter_normals(unsigned radius_word, unsigned angle_word) {
    const float r = rng::xu_sqrt_of_negative(rng::log2_of_31_bits(radius_word));
    const float y = rng::half_angle(angle_word);
    const float q = y * y;
    return {rng::with_sign_of(radius_word, r * rng::half_cosine(q, 0.25)), r * y * rng::sine_factor(q, 0.25)};
}

/// The twin's deviation of each day, as that of Log2Day.
template <unsigned steps>
struct TwinDeviations {
    float of_day[steps];
};
template <unsigned steps>
__host__ __device__ constexpr TwinDeviations<steps> twin_deviations() {
    TwinDeviations<steps> deviations = {};
    for (unsigned t = 0; t < steps; t++) {
        deviations.of_day[t] = static_cast<float>(root_of(scaled(mean_variance(t + 1))));
    }
    return deviations;
}

/// A path of an even number of days, a word for each, and its twin: the path of the same normals whose variance on each day
/// is the mean variance.
template <unsigned steps, typename Draw>
__host__ __device__ __forceinline__ TwinValues twin_path(Draw& draw) {
    static_assert(steps % 2 == 0);
    constexpr TwinDeviations<steps> twin_deviation = twin_deviations<steps>();
    float growth[steps + 1], twin_growth[steps + 1];
    growth[0] = twin_growth[0] = 1;
    Log2Day day;
    float twin = 0;
    unsigned t = 0;
    const auto next = [&](float quarter) {
        advance(&day, quarter);
        twin = fmaf(quarter, twin_deviation.of_day[t], twin);
        t++;
        growth[t] = rng::xu_exp2(day.x);
        twin_growth[t] = rng::xu_exp2(twin);
    };
    for (unsigned pair = 0; pair < steps / 2; pair++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        const QuarterPair normals = quarter_normals(radius_word, angle_word);
        next(normals.first);
        next(normals.second);
    }
    return {payoff_of_growth<steps>(growth), payoff_of_growth<steps>(twin_growth), natural(day.x)};
}

}  // namespace lookback
