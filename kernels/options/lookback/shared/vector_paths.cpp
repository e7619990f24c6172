// The loop of the CPU step in vector registers. This file is compiled once for each instruction set, as CLONE.
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/one_root_path.cuh"
#include "kernels/options/shared/cpu_sums.hpp"

namespace lookback::CLONE {
namespace {

using options::CLONE::Floats, options::CLONE::Words, options::CLONE::width;

constexpr unsigned steps = 8;

/// UnrootedDay.
struct Day {
    Floats x = 0;
    Floats scaled_variance = first_scaled_variance;
};

/// The next day, as in one_root_path.cuh.
__forceinline__ void advance(Day& day, Floats square, Words sign_word) {
    const Floats shock_squared = square * day.scaled_variance;
    const Floats shock = with_sign_of(sign_word, root_of_rounded(shock_squared));
    day.x = fmaf(shock, static_cast<float>(options::CLONE::root_unit), day.x);
    day.scaled_variance = fmaf(day.scaled_variance, square + static_cast<float>(variance_kept),
                               static_cast<float>(scaled(variance_constant)));
}

/// payoff_of_growth without a clamp at 1 unit: the payoff's grid ends before.
__forceinline__ Floats payoff_of(const Floats (&growth)[steps + 1]) {
    constexpr double unit = price_unit<steps>;
    const Floats last = growth[steps] * static_cast<float>(calm_price(steps, unit));
    Floats sum = 0;
#pragma GCC unroll 8
    for (unsigned t = 0; t < steps; t++) {
        sum = sum + fmaxf(fmaf(growth[t], static_cast<float>(calm_price(t, unit)), -last), 0.0f);
    }
    return sum * static_cast<float>(unit);
}

/// What a path pays, and its x_T.
struct Ends {
    Floats payoff, log_return;
};

/// one_root_path.
__forceinline__ Ends walk(options::CLONE::MrgDraws& draw) {
    Floats growth[steps + 1] = {1, 0, 0, 0, 0, 0, 0, 0, 0};
    Day day;
#pragma GCC unroll 8
    for (unsigned t = 0; t < steps; t += 2) {
        const Words radius_word = draw(), angle_word = draw();
        const Floats minus_log2_u = options::CLONE::minus_log2_of_31_bits(radius_word);
        const Floats v = options::CLONE::half_angle(angle_word);
        const Floats first = -minus_log2_u * cosine_squared(v * v);
        advance(day, first, radius_word);
        growth[t + 1] = exp2f(day.x);
        advance(day, fmaf(minus_log2_u, -square_of_log2, -first), angle_word);
        growth[t + 2] = exp2f(day.x);
    }
    return {payoff_of(growth), day.x * static_cast<float>(1 / exact_log2_e)};
}

void add_paths(const options::LaneStates& states, unsigned paths, bench::Count* columns) {
    for (unsigned first = 0; first < options::lanes_of_stream; first += width) {
        options::CLONE::MrgDraws draw(states, first);
        options::CLONE::LaneSums<reference_of(steps).bits, return_bits> sums;
        for_paths_of_mrg<steps>(paths, draw, [&]() INLINED {
            const Ends path = walk(draw);
            sums.add(path.payoff, path.log_return);
        });
        sums.publish(columns);
    }
}

}  // namespace

extern const options::StreamLoop loop;
const options::StreamLoop loop = add_paths;

}  // namespace lookback::CLONE
