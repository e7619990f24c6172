// The exact distribution of a step's normals on this GPU: all 2^32 words pass through its transform.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/options/normals/shared/moments.hpp"

namespace normals {

/// Highest power whose mean is taken.
inline constexpr unsigned powers = 8;

/// Tails: P(|z| > 3), and so on to P(|z| > 6). The tails of the normal distribution.
inline constexpr unsigned tails = 4, first_level = 3;
inline constexpr std::array<double, tails> normal_tails = {2.699796063260e-3, 6.334248366624e-5, 5.733031437584e-7,
                                                           1.973175290075e-9};

/// Of all normals that a transform can make. Its two normals of a pair count alike.
struct Exhausted {
    std::array<double, powers + 1> mean_power;  // E z^k, k = 0 to 8
    std::array<double, tails> tail;             // P(|z| > first_level), ...
    double largest;                             // |z|
    std::uint64_t bad;                          // words for which something is not finite
};

struct Transform {
    const char* name;
    const char* steps;  // that use it
    Moments stored;
    Exhausted (*exhaust)();  // on the current GPU, in milliseconds. Throws CudaError.
};

/// Every transform of the ladder but the library's.
const std::vector<Transform>& transforms();

/// For files with other compiler flags.
Exhausted exhaust_accurate_box_muller();
Exhausted exhaust_xu_box_muller();
Exhausted exhaust_polynomial_box_muller();
Exhausted exhaust_inverse_cdf();

}  // namespace normals
