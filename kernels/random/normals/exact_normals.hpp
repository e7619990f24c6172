// Random words become normals in double precision, as the definitions of the transforms are written, for host replays.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/step.hpp"
#include "kernels/random/normals/normals_of.hpp"
#include "kernels/random/normals/rotated_table.cuh"

namespace rng {

struct ExactPair {
    double first, second;
};

/// Box-Muller over the whole circle: u is (word + 1/2) / 2^32, the angle 2 pi word / 2^32. The cosine comes first.
inline ExactPair whole_circle(std::uint32_t radius_word, std::uint32_t angle_word) {
    const double radius = std::sqrt(-2 * std::log((radius_word + 0.5) * 0x1p-32));
    const double angle = M_PI * static_cast<std::int32_t>(angle_word) * 0x1p-31;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// The same with the sine first.
inline ExactPair whole_circle_sine_first(std::uint32_t radius_word, std::uint32_t angle_word) {
    const ExactPair pair = whole_circle(radius_word, angle_word);
    return {pair.second, pair.first};
}

/// Over half of it, with signed words: the radius's word is n + 1/2 in units of 2^-31, and its sign that of the cosine. The
/// angle is pi word / 2^32. The cosine comes first.
inline ExactPair half_circle(std::uint32_t radius_word, std::uint32_t angle_word) {
    const double u = (static_cast<std::int32_t>(radius_word) + 0.5) * 0x1p-31;
    const double radius = std::sqrt(-2 * std::log(std::fabs(u)));
    const double angle = M_PI * static_cast<std::int32_t>(angle_word) * 0x1p-32;
    return {std::copysign(radius * std::cos(angle), u), radius * std::sin(angle)};
}

/// The polynomial with these coefficients, the highest one first.
template <std::size_t n>
double polynomial(const double (&coefficients)[n], double x) {
    double sum = 0;
    for (const double coefficient : coefficients) sum = sum * x + coefficient;
    return sum;
}

/// The normal whose distribution function is (word + 1/2) / 2^32, within 1e-15 of its size: Wichura, "Algorithm AS 241: the
/// percentage points of the normal distribution", Applied Statistics 37, 1988. Its form for tails below 1.4e-11 is left
/// out: a word's is at least 2^-33.
inline double exact_inverse_cdf(std::uint32_t word) {
    static constexpr double middle[] = {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
                                        4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
                                        1.3314166789178437745e2, 3.3871328727963666080e0};
    static constexpr double under_middle[] = {
        5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
        5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1};
    static constexpr double tail[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                                      1.27045825245236838258e0,  3.64784832476320460504e0,  5.76949722146069140550e0,
                                      4.63033784615654529590e0,  1.42343711074968357734e0};
    static constexpr double under_tail[] = {
        1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
        6.89767334985100004550e-1, 1.67638483018380384940e0,  2.05319162663775882187e0,  1};
    const double from_middle = (word + 0.5) * 0x1p-32 - 0.5;
    if (std::fabs(from_middle) <= 0.425) {
        const double r = 0.180625 - from_middle * from_middle;
        return from_middle * polynomial(middle, r) / polynomial(under_middle, r);
    }
    const double r = std::sqrt(-std::log((std::min(word, ~word) + 0.5) * 0x1p-32)) - 1.6;
    return std::copysign(polynomial(tail, r) / polynomial(under_tail, r), from_middle);
}

/// An entry of the table of rotated_table.cuh, within 1e-7: the word is the middle one of those that choose it.
inline double exact_table_normal(std::uint32_t entry) {
    return stretched(exact_inverse_cdf(entry << (32 - table_bits) | 1u << (31 - table_bits)));
}

/// The next normals of a path, two of each pair of words. Their number is even.
template <ExactPair (*pair_of)(std::uint32_t, std::uint32_t), typename Draws>
void draw_normals(Draws& draw, std::vector<double>& normals) {
    for (std::size_t i = 0; i < normals.size(); i += 2) {
        const std::uint32_t radius_word = draw();
        const std::uint32_t angle_word = draw();
        const ExactPair pair = pair_of(radius_word, angle_word);
        normals[i] = pair.first;
        normals[i + 1] = pair.second;
    }
}

/// NormalsOf threads that draw one pair after the other. If a path has an odd number, its last one is not used.
template <typename Draws, ExactPair (*pair_of)(std::uint32_t, std::uint32_t)>
void normals_of_draws(unsigned normals, const bench::StreamId& stream, unsigned paths, const UseNormals& use) {
    Draws draw(stream);
    std::vector<double> of_path(normals + normals % 2);
    for (unsigned i = 0; i < paths; i++) {
        draw_normals<pair_of>(draw, of_path);
        use(of_path.data());
    }
}

}  // namespace rng
