// Moments of the normals that each transform makes of all words, in the arithmetic of a GPU. They, not those of the
// normal distribution, are what sums are compared with.
#pragma once

namespace normals {

/// E z^2 and E z^4 of a transform's normals z. E z is 0 but for 3e-10, which no run shows.
struct Moments {
    double second, fourth;
};

// Of midpoints of 2^-n in exact arithmetic, 1 - E z^2 = ln 2 / 2^(n + 1) for Box-Muller.
inline constexpr Moments of_normal = {1, 3};
inline constexpr Moments of_accurate_box_muller = {1 - 8e-11, 3};
inline constexpr Moments of_xu_box_muller = {1 - 8e-11, 3};
inline constexpr Moments of_polynomial_box_muller = {1 - 1.6e-10, 3};
inline constexpr Moments of_inverse_cdf = {1, 3};

/// Of a mixture with the share `of_a` of normals with the moments a.
constexpr Moments mixture(Moments a, Moments b, double of_a) {
    return {of_a * a.second + (1 - of_a) * b.second, of_a * a.fourth + (1 - of_a) * b.fourth};
}

/// n9: 20 pairs of 31 are made with polynomials. Its ablation: 15.
inline constexpr Moments of_two_pipes = mixture(of_polynomial_box_muller, of_xu_box_muller, 20.0 / 31);
inline constexpr Moments of_alternate_pipes = mixture(of_polynomial_box_muller, of_xu_box_muller, 15.0 / 31);

}  // namespace normals
