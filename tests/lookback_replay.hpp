// The paths of the lookback steps, again: the normals in double of the words that a thread draws.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "kernels/options/device/lookback.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/philox.cuh"
#include "kernels/random/sobol.cuh"
#include "kernels/random/sobol_dimensions.cuh"

namespace lookback_replay {

using Normals = std::vector<double>;
using Use = std::function<void(const Normals&)>;

inline double as_signed(std::uint32_t word) { return static_cast<std::int32_t>(word); }

/// Box-Muller on the whole circle: two normals for l0 to l2.
inline void add_pair(Normals& normals, std::uint32_t radius, std::uint32_t angle) {
    const double r = std::sqrt(-2 * std::log(std::ldexp(radius + 0.5, -32)));
    const double turn = std::numbers::pi * std::ldexp(as_signed(angle), -31);
    normals.push_back(r * std::sin(turn));
    normals.push_back(r * std::cos(turn));
}

/// Box-Muller on the right half of the circle, the sign of the cosine from the word of the radius: for l3, l4 and l6.
inline void add_half_pair(Normals& normals, std::uint32_t radius, std::uint32_t angle) {
    const double v = as_signed(radius) + 0.5;
    const double r = std::sqrt(-2 * std::log(std::ldexp(std::abs(v), -31)));
    const double turn = std::numbers::pi / 2 * std::ldexp(as_signed(angle), -31);
    normals.push_back(std::copysign(r * std::cos(turn), v));
    normals.push_back(r * std::sin(turn));
}

/// The normal z with the distribution function (word + 1/2) / 2^32, by Newton's iteration from the middle outward: the
/// function is concave there, so it cannot overshoot.
inline double inverse_cdf(std::uint32_t word) {
    const double p = std::ldexp(word + 0.5, -32), tail = std::min(p, 1 - p);
    double z = 0;
    for (int i = 0; i < 40; i++) {
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        const double step = (std::erfc(z / std::numbers::sqrt2) / 2 - tail) / density;
        z += step;
        if (std::abs(step) < 1e-13) break;
    }
    return p < 0.5 ? -z : z;
}

/// l1, l2 and l3_daily. An odd number of days leaves the last normal unused.
template <typename Draws>
void daily(unsigned steps, const bench::StreamId& id, unsigned paths, const Use& use) {
    Draws draw(id);
    for (unsigned i = 0; i < paths; i++) {
        Normals normals;
        while (normals.size() < steps) {
            const auto radius = draw(), angle = draw();
            add_pair(normals, radius, angle);
        }
        use(normals);
    }
}

/// After every third path of 24 words the MRG draws 7 more, for as long as groups of three are whole.
template <void (*add)(Normals&, std::uint32_t, std::uint32_t)>
void in_threes(const bench::StreamId& id, unsigned paths, const Use& use) {
    pi::MrgDraws draw(id);
    for (unsigned i = 0; i < paths; i++) {
        Normals normals;
        while (normals.size() < 8) {
            const auto radius = draw(), angle = draw();
            add(normals, radius, angle);
        }
        use(normals);
        if (i % 3 == 2) {
            for (int skipped = 0; skipped < 7; skipped++) draw();
        }
    }
}

/// l5. The bridge as sums W_t of normals.
inline Normals bridged(const pi::SobolWords<8>& point) {
    double z[8], w[9] = {};
    for (int d = 0; d < 8; d++) z[d] = inverse_cdf(point.word[d]);
    w[8] = std::sqrt(8.0) * z[0];
    w[4] = w[8] / 2 + std::sqrt(2.0) * z[1];
    w[2] = w[4] / 2 + z[2];
    w[6] = (w[4] + w[8]) / 2 + z[3];
    for (int i = 0; i < 4; i++) w[2 * i + 1] = (w[2 * i] + w[2 * i + 2]) / 2 + std::sqrt(0.5) * z[4 + i];
    Normals normals;
    for (int t = 1; t <= 8; t++) normals.push_back(w[t] - w[t - 1]);
    return normals;
}

inline void sobol(const bench::StreamId& id, unsigned paths, const Use& use) {
    constexpr auto directions = pi::joe_kuo_directions<8>();
    const auto shift = pi::sobol_shift_of<8>(id.seed, id.launch);
    for (const auto& stretch :
         {pi::sobol_groups_of(id.thread, paths), pi::sobol_rest_of(id.thread, id.threads, paths)}) {
        for (unsigned i = 0; i < stretch.points; i++) {
            auto point = pi::sobol_point_of(directions, stretch.first + i);
            point ^= shift;
            use(bridged(point));
        }
    }
}

/// l6.
inline void counted(const bench::StreamId& id, unsigned paths, const Use& use) {
    pi::Philox7Draws draw(id);
    for (unsigned i = 0; i < paths; i++) {
        Normals normals;
        while (normals.size() < 256) {
            const auto radius = draw(), angle = draw();
            add_half_pair(normals, radius, angle);
        }
        use(normals);
    }
}

/// The path of these normals in double.
inline lookback::Path path_of(const Normals& normals, unsigned steps) {
    auto next = normals.begin();
    return lookback::path(steps, [&] { return *next++; });
}

}  // namespace lookback_replay
