// The path as the chapter computes it, day by day in float: steps l0 to l2.
#pragma once

#include <cuda_runtime.h>

#include "kernels/options/lookback/shared/option.hpp"
#include "kernels/random/normals/box_muller.cuh"
#include "kernels/random/normals/xu.cuh"

namespace lookback {

inline constexpr float log2_e = 1.4426950408889634f;
inline constexpr float ln_2 = 0.6931471805599453f;

/// What a path carries from one day to the next.
struct Day {
    float price = static_cast<float>(first_price);
    float variance = static_cast<float>(volatility_before * volatility_before);
    float shock = static_cast<float>(shock_before);
};

/// The day after `day`, with its normal z.
__host__ __device__ __forceinline__ Day next_day(const Day& day, float z) {
    const float variance = next_variance(day.variance, day.shock * day.shock);
    const float shock = z * rng::xu_sqrt(variance);
    return {day.price * rng::xu_exp2((static_cast<float>(drift) + shock) * log2_e), variance, shock};
}

/// Two normals of the next two words.
template <typename Draw>
__host__ __device__ __forceinline__ rng::NormalPair next_normal_pair(Draw& draw) {
    const unsigned radius_word = draw();
    const unsigned angle_word = draw();
    return rng::normal_pair(radius_word, angle_word);
}

/// x_T of the last price.
template <unsigned steps>
__host__ __device__ __forceinline__ float log_return(float last_price) {
    return rng::xu_log2(last_price * static_cast<float>(1 / first_price)) * ln_2 - static_cast<float>(steps * drift);
}

/// Walks a path of `steps` days, for whose normals it takes pairs, and calls keep(t, s_t) for each of the days before the
/// last. Returns the last price. With an odd number of days the second normal of the last pair is not used.
template <unsigned steps, typename NextPair, typename Keep>
__host__ __device__ __forceinline__ float walk(NextPair&& next_pair, Keep&& keep) {
    Day day;
    for (unsigned t = 0; t < steps; t += 2) {
        const rng::NormalPair z = next_pair();
        keep(t, day.price);
        day = next_day(day, z.sine);
        if (t + 1 < steps) {
            keep(t + 1, day.price);
            day = next_day(day, z.cosine);
        }
    }
    return day.price;
}

/// The payoff of a path whose prices s_t are price(t), from the last day back to the first.
template <unsigned steps, typename Price>
__host__ __device__ __forceinline__ float payoff(Price&& price, float last_price) {
    float sum = 0;
    for (unsigned t = steps; t-- > 0;) {
        sum += fmaxf(price(t) - last_price, 0.0f);
    }
    return sum;
}

}  // namespace lookback
