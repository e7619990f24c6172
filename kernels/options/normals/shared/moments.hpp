// Moments of the normals that each transform makes of all words, in the arithmetic of a GPU. They, not those of the
// normal distribution, are what sums are compared with.
#pragma once

namespace normals {

/// E z^2 and E z^4 of a transform's normals z. E z is 0 but for 2e-8, which no run shows.
struct Moments {
    double second, fourth;
};

// As options_moments counts them on an H200. In exact arithmetic midpoints of 2^-n give 1 - E z^2 = ln 2 / 2^(n + 1) by
// Box-Muller, so these are errors of float functions.
inline constexpr Moments of_normal = {1, 3};
inline constexpr Moments of_accurate_box_muller = {1 + 2.13e-8, 3 + 1.294e-7};
inline constexpr Moments of_xu_box_muller = {1 - 2.528e-7, 3 - 1.103e-6};
inline constexpr Moments of_polynomial_box_muller = {1 - 1.345e-8, 3 + 7.49e-8};
inline constexpr Moments of_rotated_table = {1, 3};  // its values are chosen so; host tests add them up
inline constexpr Moments of_inverse_cdf = {1 - 1.2855e-7, 3 - 9.479e-7};

/// Of a mixture with the share `of_a` of normals with the moments a.
constexpr Moments mixture(Moments a, Moments b, double of_a) {
    return {of_a * a.second + (1 - of_a) * b.second, of_a * a.fourth + (1 - of_a) * b.fourth};
}

/// n9: 20 pairs of 31 are made with polynomials. Its ablation: 15.
inline constexpr Moments of_two_pipes = mixture(of_polynomial_box_muller, of_xu_box_muller, 20.0 / 31);
inline constexpr Moments of_alternate_pipes = mixture(of_polynomial_box_muller, of_xu_box_muller, 15.0 / 31);

}  // namespace normals
