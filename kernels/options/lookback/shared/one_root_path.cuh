// The path of step l3.
#pragma once

#include "kernels/options/lookback/shared/log2_path.cuh"
#include "kernels/options/lookback/shared/squared_normals.cuh"

namespace lookback {

/// What a path carries from one day to the next: x_t and H of the next day.
struct UnrootedDay {
    float x = 0;
    float scaled_variance = first_scaled_variance;
};

/// The next day, from A2 z^2 and a word whose upper bit is the sign of z. The only root is that of the shock's square.
/// Rounding may make a square of almost 0 negative.
__host__ __device__ __forceinline__ void advance(UnrootedDay* day, float square, unsigned sign_word) {
    const float shock_squared = square * day->scaled_variance;
    day->x += rng::with_sign_of(sign_word, rng::xu_sqrt_of_magnitude(shock_squared));
    day->scaled_variance = fmaf(day->scaled_variance, square + static_cast<float>(variance_kept),
                                static_cast<float>(scaled(variance_constant)));
}

/// The next two days, from two words. Calls before_each(&day) before each of them.
template <SquaredPair (*squares_of)(unsigned, unsigned) = squared_normals, typename BeforeEach>
__host__ __device__ __forceinline__ void advance_two(UnrootedDay* day, unsigned radius_word, unsigned angle_word,
                                                     BeforeEach&& before_each) {
    const SquaredPair squares = squares_of(radius_word, angle_word);
    before_each(day);
    advance(day, squares.first, radius_word);
    before_each(day);
    advance(day, squares.second, angle_word);
}

/// A path of an even number of days, a word for each. `payoff_of` makes the payoff of what payoff_of_growth() takes.
template <unsigned steps, SquaredPair (*squares_of)(unsigned, unsigned) = squared_normals, typename Draw,
          typename PayoffOf>
__host__ __device__ __forceinline__ PathValues one_root_path(Draw& draw, PayoffOf&& payoff_of) {
    static_assert(steps % 2 == 0);
    float growth[steps + 1];
    unsigned t = 0;
    UnrootedDay day;
    const auto keep = [&](const UnrootedDay* now) {
        growth[t] = t == 0 ? 1.0f : rng::xu_exp2(now->x);
        t++;
    };
    for (unsigned pair = 0; pair < steps / 2; pair++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        advance_two<squares_of>(&day, radius_word, angle_word, keep);
    }
    growth[steps] = rng::xu_exp2(day.x);
    return {payoff_of(growth), natural(day.x)};
}

template <unsigned steps, SquaredPair (*squares_of)(unsigned, unsigned) = squared_normals, typename Draw>
__host__ __device__ __forceinline__ PathValues one_root_path(Draw& draw) {
    return one_root_path<steps, squares_of>(
        draw, [](const float(&growth)[steps + 1]) { return payoff_of_growth<steps>(growth); });
}

}  // namespace lookback
