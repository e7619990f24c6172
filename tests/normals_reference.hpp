// The normals of the steps in double precision, as the formulas are written, from the words that the steps draw.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

#include "kernels/pi/device/sources.hpp"

namespace reference {

struct Pair {
    double first, second;
};

/// The middle of the interval that a word stands for.
inline double unit(std::uint32_t word) { return (word + 0.5) * 0x1p-32; }

inline Pair box_muller(std::uint32_t radius_word, std::uint32_t angle_word) {
    const double r = std::sqrt(-2 * std::log(unit(radius_word))), angle = 2 * std::numbers::pi * unit(angle_word);
    return {r * std::sin(angle), r * std::cos(angle)};
}

/// The radius from 31 bits of its word, the angle in half a circle, and the uppermost bit of the radius's word for the other
/// half.
inline Pair half_circle(std::uint32_t radius_word, std::uint32_t angle_word) {
    const double u = std::fabs((static_cast<std::int32_t>(radius_word) + 0.5) * 0x1p-31);
    const double r = std::sqrt(-2 * std::log(u));
    const double angle = std::numbers::pi * static_cast<std::int32_t>(angle_word) * 0x1p-32;
    return {r * std::sin(angle), (radius_word >> 31 ? -1 : 1) * r * std::cos(angle)};
}

/// The z for which the distribution function is `unit(word)`: Newton's steps on the logarithm of the tail.
inline double inverse_cdf(std::uint32_t word) {
    const bool upper = word >> 31;
    const double tail = unit(upper ? ~word : word);
    double z = 0;
    for (int i = 0; i < 100; i++) {
        const double at = std::erfc(z / std::numbers::sqrt2) / 2;
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        const double step = std::log(at / tail) * at / density;
        z += step;
        if (std::fabs(step) < 1e-12) break;
    }
    return upper ? z : -z;
}

inline Pair both(std::uint32_t first, std::uint32_t second) { return {inverse_cdf(first), inverse_cdf(second)}; }

/// A step's words, and how pair number i of a thread is made of two of them.
struct Normals {
    const char* step;
    const bench::Source& source;
    Pair (*pair)(std::uint64_t i, std::uint32_t first_word, std::uint32_t second_word);
};

template <Pair (*pair)(std::uint32_t, std::uint32_t)>
Pair every(std::uint64_t, std::uint32_t first, std::uint32_t second) {
    return pair(first, second);
}

/// Of each 31 pairs, those numbers that `divisor` divides are made on XU.
template <unsigned divisor>
Pair mixed(std::uint64_t i, std::uint32_t first, std::uint32_t second) {
    return i % 31 % divisor == 0 ? box_muller(first, second) : half_circle(first, second);
}

/// Every step and ablation whose normals are made of words.
inline const std::vector<Normals>& all_normals() {
    namespace sources = pi::sources;
    static const std::vector<Normals> all = {
        {"n1", sources::xorwow, every<box_muller>},
        {"n2", sources::hybrid_tausworthe, every<box_muller>},
        {"n3", sources::hybrid_tausworthe, every<box_muller>},
        {"n7", sources::philox7, every<box_muller>},
        {"n8", sources::mrg, every<box_muller>},
        {"n9", sources::mrg, mixed<3>},
        {"n9_polynomial", sources::mrg, every<half_circle>},
        {"n9_alternate", sources::mrg, mixed<2>},
        {"n10", sources::mrg, every<both>},
    };
    return all;
}

/// The first `pairs` pairs of a thread.
inline std::vector<Pair> pairs_of(const Normals& normals, const bench::StreamId& thread, std::uint64_t pairs) {
    const auto words = normals.source.words(thread);
    std::vector<Pair> made;
    for (std::uint64_t i = 0; i < pairs; i++) {
        const std::uint32_t first = words->next(), second = words->next();
        made.push_back(normals.pair(i, first, second));
    }
    return made;
}

/// How far the normal z of a pair may be from it: the special function units of GPUs differ. A float u near 1 and its
/// logarithm have absolute errors, and so has r^2. They tell in pairs near 0.
inline double tolerance(const Pair& pair, double z) {
    const double r = std::hypot(pair.first, pair.second);
    return 4e-6 * (1 + std::fabs(z)) + 1e-6 / (r + 1e-3);
}

/// How far a sum of n normals, or of their squares, may be.
inline double tolerance_of_sum(double n) { return n * 2e-5; }

}  // namespace reference
