// The path of step l8: the days of a path, and between them the payoff of the path before it.
#pragma once

#include "kernels/options/lookback/shared/one_root_path.cuh"

namespace lookback {

/// x_t of each day of a path. The first one ends where it begins. It pays nothing, as prices rise without shocks.
template <unsigned steps>
struct KeptPath {
    float x[steps + 1] = {};
};

/// Two words and the squares that are made of them.
struct DrawnPair {
    unsigned radius_word, angle_word;
    SquaredPair squares;
};

template <typename Draw>
__host__ __device__ __forceinline__ DrawnPair drawn_pair(Draw& draw) {
    const unsigned radius_word = draw();
    const unsigned angle_word = draw();
    return {radius_word, angle_word, squared_normals(radius_word, angle_word)};
}

/// Replaces a path by the next one, a word for each day, and returns what the old one publishes. A day takes the place of the
/// same day of the old path, whose price is made then, so no register more is needed. Squares are made two days ahead. The
/// arithmetic is that of one_root_path().
template <unsigned steps, typename Draw>
__host__ __device__ __forceinline__ PathValues next_path(Draw& draw, KeptPath<steps>* path) {
    static_assert(steps % 2 == 0 && drift >= 0);
    constexpr double unit = price_unit<steps>;
    const float log_return = natural(path->x[steps]);
    const float last = static_cast<float>(calm_price(steps, unit)) * rng::xu_exp2(path->x[steps]);
    float sum = 0;
    unsigned t = 0;
    UnrootedDay day;
    const auto exchange = [&] {
        const float growth = t == 0 ? 1.0f : rng::xu_exp2(path->x[t]);
        sum += clamped_fma(growth, static_cast<float>(calm_price(t, unit)), -last);
        path->x[t] = day.x;
        t++;
    };
    DrawnPair next = drawn_pair(draw);
    for (unsigned pair = 0; pair < steps / 2; pair++) {
        const DrawnPair now = next;
        if (pair + 1 < steps / 2) next = drawn_pair(draw);
        exchange();
        advance(&day, now.squares.first, now.radius_word);
        exchange();
        advance(&day, now.squares.second, now.angle_word);
    }
    path->x[steps] = day.x;
    return {sum * static_cast<float>(unit), log_return};
}

/// What the last path publishes, which no other one follows.
template <unsigned steps>
__host__ __device__ __forceinline__ PathValues values_of(const KeptPath<steps>& path) {
    float growth[steps + 1] = {1};
    for (unsigned t = 1; t <= steps; t++) growth[t] = rng::xu_exp2(path.x[t]);
    return {payoff_of_growth<steps>(growth), natural(path.x[steps])};
}

}  // namespace lookback
