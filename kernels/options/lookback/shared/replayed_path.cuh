// The path of step l6, walked twice.
#pragma once

#include "kernels/options/lookback/shared/one_root_path.cuh"
#include "kernels/random/philox.cuh"

namespace lookback {

inline constexpr int philox_rounds = 7;  // the fewest that pass BigCrush
using PhiloxKeys = rng::PhiloxKeys<philox_rounds>;

/// Walks a path of `steps` days, four for each value of a counter from `counter` on, and calls before_each(&day) before each
/// day. Returns the last x.
template <unsigned steps, typename BeforeEach>
__host__ __device__ __forceinline__ float walk_from(rng::PhiloxCounter counter, const PhiloxKeys& keys,
                                                    BeforeEach&& before_each) {
    static_assert(steps % 4 == 0);
    UnrootedDay day;
    for (unsigned t = 0; t < steps; t += 4) {
        const rng::PhiloxCounter words = rng::philox4x32(counter, keys);
        advance_two(&day, words.word[0], words.word[1], before_each);
        advance_two(&day, words.word[2], words.word[3], before_each);
        counter.word[0]++;
    }
    return day.x;
}

/// A path of which nothing is stored. The first walk finds the last price. The second one compares every other price with
/// it. The drift is not added to x day by day: it would be rounded in the same direction every day.
template <unsigned steps>
__host__ __device__ __forceinline__ PathValues replayed_path(const rng::PhiloxCounter& counter,
                                                             const PhiloxKeys& keys) {
    constexpr auto first = static_cast<float>(first_price / grid_of_payoff<steps>);
    constexpr auto daily_drift = static_cast<float>(drift * exact_log2_e);
    const float x = walk_from<steps>(counter, keys, [](const UnrootedDay*) {});
    const float last = first * rng::xu_exp2(fmaf(static_cast<float>(steps), daily_drift, x));
    float sum = 0, t = 0;
    walk_from<steps>(counter, keys, [&](const UnrootedDay* day) {
        sum += clamped_fma(first, rng::xu_exp2(fmaf(t, daily_drift, day->x)), -last);
        t += 1;
    });
    return {sum * static_cast<float>(grid_of_payoff<steps>), natural(x)};
}

}  // namespace lookback
