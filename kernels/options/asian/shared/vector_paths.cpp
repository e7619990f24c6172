// The loop of the CPU step in vector registers. This file is compiled once for each instruction set, as CLONE.
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/options/shared/cpu_sums.hpp"

namespace asian::CLONE {
namespace {

using options::CLONE::Floats, options::CLONE::Words, options::CLONE::width;

constexpr unsigned steps = 256;
using Log = Logarithms<steps>;
constexpr double unit = Log::unit * options::CLONE::root_unit;

/// What LogPath::step takes as constants, for each step of a path.
struct Drifts {
    float threshold[steps];  // of the gap
    float growth[steps];     // of a price
};

constexpr Drifts drifts_of_steps() {
    Drifts drifts = {};
    for (unsigned i = 0; i < steps; i++) {
        drifts.threshold[i] = static_cast<float>((i + 1) * -Log::gap_drift);
        drifts.growth[i] = static_cast<float>(exponential((i + 1) * model(steps).mu_b));
    }
    return drifts;
}

constexpr Drifts drifts = drifts_of_steps();

/// LogPath in one group of 256 steps. Returns its excess.
__forceinline__ Floats walk(options::CLONE::MrgDraws& draw) {
    Floats log_a = 0, gap = 0, sum = 0, price = 0;
    for (unsigned i = 0; i < steps; i++) {
        const Words radius_word = draw(), angle_word = draw();
        const Floats radius = options::CLONE::radius(radius_word);
        const Floats y = options::CLONE::half_angle(angle_word), q = y * y;
        const Floats move = with_sign_of(radius_word, rng::half_cosine(q, unit));
        log_a = fmaf(radius, move, log_a);
        gap = fmaf(radius, fmaf(y, rng::sine_factor(q, -4 * unit), move), gap);
        price = exp2f(fmaf(fminf(gap, drifts.threshold[i]), -0.25f, log_a));
        sum = fmaf(price, drifts.growth[i], sum);
    }
    constexpr float start = model(steps).start;
    const Floats excess = fmaf(sum, start / steps, price * (-start * drifts.growth[steps - 1]));
    return fmaf(0.0f, log_a + gap, excess);  // NaN if the minimum hid what is not finite
}

void add_paths(const options::LaneStates& states, unsigned paths, bench::Count* columns) {
    for (unsigned first = 0; first < options::lanes_of_stream; first += width) {
        options::CLONE::MrgDraws draw(states, first);
        options::CLONE::LaneSums<bits, bits> sums;
        for (unsigned i = 0; i < paths; i++) {
            const Floats excess = walk(draw);
            sums.add(excess - fminf(excess, 0.0f), excess);
        }
        sums.publish(columns);
    }
}

}  // namespace

extern const options::StreamLoop loop;
const options::StreamLoop loop = add_paths;

}  // namespace asian::CLONE
