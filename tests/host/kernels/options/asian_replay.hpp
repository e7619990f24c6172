// Paths of the Asian option in double precision from random words, written apart from the code of the steps.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/options/device/asian.hpp"

namespace asian_replay {

using asian::Path;
using Words = std::vector<std::uint32_t>;

struct Pair {
    double z_a, z_b;
};

/// Box-Muller over the whole circle: u is (word + 1/2) / 2^32, the angle 2 pi word / 2^32.
inline Pair whole_circle(std::uint32_t radius_word, std::uint32_t angle_word) {
    const double radius = std::sqrt(-2 * std::log((radius_word + 0.5) * 0x1p-32));
    const double angle = 2 * M_PI * angle_word * 0x1p-32;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Over half of it: both words have a sign. The radius's word is n + 1/2 in units of 2^-31, its sign is that of the cosine.
inline Pair half_circle(std::uint32_t radius_word, std::uint32_t angle_word) {
    const double u = (static_cast<std::int32_t>(radius_word) + 0.5) * 0x1p-31;
    const double radius = std::sqrt(-2 * std::log(std::fabs(u)));
    const double angle = M_PI * static_cast<std::int32_t>(angle_word) * 0x1p-32;
    return {std::copysign(radius * std::cos(angle), u), radius * std::sin(angle)};
}

/// The path whose step t uses words 2 t and 2 t + 1.
template <typename Transform>
Path<double> path_of_words(unsigned steps, const Words& words, Transform transform) {
    unsigned drawn = 0;
    return asian::path(asian::model(steps), [&] {
        const Pair pair = transform(words[drawn / 2 * 2], words[drawn / 2 * 2 + 1]);
        return drawn++ % 2 == 0 ? pair.z_a : pair.z_b;
    });
}

/// The normal whose distribution function is (word + 1/2) / 2^32, by Newton's method. Below 1/2, where it is exact, and
/// otherwise by symmetry.
inline double inverse_normal(std::uint32_t word) {
    if (word >= 0x80000000u) {
        return -inverse_normal(~word);
    }
    const double p = (word + 0.5) * 0x1p-32;
    double z = -std::sqrt(-2 * std::log(2 * p));
    for (unsigned i = 0; i < 60; i++) {
        const double step = (std::erfc(-z * M_SQRT1_2) / 2 - p) / (std::exp(-z * z / 2) / std::sqrt(2 * M_PI));
        z -= std::fmin(std::fmax(step, -0.5), 0.5);
        if (std::fabs(step) < 1e-13) break;
    }
    return z;
}

/// Values at dates 1 to `steps` of a Brownian motion, by halving: the normal of number 0 gives the end, that of number
/// 2^j + i the middle of part i of 2^j parts.
inline std::vector<double> bridge(unsigned steps, const std::vector<double>& normals) {
    std::vector<double> level(steps + 1);
    level[steps] = std::sqrt(steps) * normals[0];
    for (unsigned parts = 1; parts < steps; parts *= 2) {
        const unsigned length = steps / parts;
        for (unsigned i = 0; i < parts; i++) {
            const unsigned left = i * length, right = left + length;
            level[left + length / 2] = (level[left] + level[right]) / 2 + std::sqrt(length) / 2 * normals[parts + i];
        }
    }
    level.erase(level.begin());
    return level;
}

/// The path of a point: coordinates 2 i and 2 i + 1 are the normals number i of two bridges.
inline Path<double> path_of_point(unsigned steps, const Words& coordinates) {
    std::vector<double> normals_a, normals_b;
    for (unsigned i = 0; i < steps; i++) {
        normals_a.push_back(inverse_normal(coordinates[2 * i]));
        normals_b.push_back(inverse_normal(coordinates[2 * i + 1]));
    }
    const auto a = bridge(steps, normals_a), b = bridge(steps, normals_b);
    unsigned drawn = 0;
    return asian::path(asian::model(steps), [&] {
        const unsigned t = drawn / 2;
        const auto& level = drawn++ % 2 == 0 ? a : b;
        return level[t] - (t > 0 ? level[t - 1] : 0);
    });
}

}  // namespace asian_replay
