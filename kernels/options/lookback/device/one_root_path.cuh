// The path of step l3.
#pragma once

#include "kernels/options/lookback/device/log2_path.cuh"
#include "kernels/options/lookback/device/squared_normals.cuh"

namespace lookback {

/// What a path carries from day to day.
struct Log2Day {
    float x = 0;
    float scaled_variance = first_scaled_variance;
};

/// The next day, from A2 z^2 and a word whose upper bit is the sign of z. The one root is that of the shock's square.
/// Rounding may make a square of almost 0 negative.
__host__ __device__ __forceinline__ void advance(Log2Day* day, float square, unsigned sign_word) {
    const float shock_squared = square * day->scaled_variance;
    day->x += options::with_sign_of(sign_word, options::xu_sqrt_of_magnitude(shock_squared));
    day->scaled_variance = next_scaled_variance(day->scaled_variance, square);
}

/// A path of an even number of days, a word for each.
template <unsigned steps, SquaredPair (*squares_of)(unsigned, unsigned) = squared_normals, typename Draw>
__host__ __device__ __forceinline__ PathValues one_root_path(Draw& draw) {
    static_assert(steps % 2 == 0);
    float growth[steps + 1];
    growth[0] = 1;
    Log2Day day;
    for (unsigned t = 0; t < steps; t += 2) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        const SquaredPair squares = squares_of(radius_word, angle_word);
        advance(&day, squares.first, radius_word);
        growth[t + 1] = options::xu_exp2(day.x);
        advance(&day, squares.second, angle_word);
        growth[t + 2] = options::xu_exp2(day.x);
    }
    return {payoff_of_growth<steps>(growth), natural(day.x)};
}

}  // namespace lookback
