// The first two dimensions of Sobol's sequence. Computes any point directly from its number.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/random/stream_seed.cuh"

namespace rng {

/// A point of the unit square, in units of 2^-32.
struct SobolPoint {
    unsigned x, y;
};

__host__ __device__ __forceinline__ SobolPoint operator^(SobolPoint a, SobolPoint b) { return {a.x ^ b.x, a.y ^ b.y}; }

/// The bits of a word in reverse order.
__host__ __device__ __forceinline__ unsigned reversed(unsigned word) {
#ifdef __CUDA_ARCH__
    return __brev(word);
#else
    word = (word & 0x55555555u) << 1 | (word >> 1 & 0x55555555u);
    word = (word & 0x33333333u) << 2 | (word >> 2 & 0x33333333u);
    word = (word & 0x0f0f0f0fu) << 4 | (word >> 4 & 0x0f0f0f0fu);
    word = (word & 0x00ff00ffu) << 8 | (word >> 8 & 0x00ff00ffu);
    return word << 16 | word >> 16;
#endif
}

/// Point `n` in the order of cuRAND and of Antonov and Saleev, USSR Computational Mathematics and Mathematical Physics 19,
/// 1979: the XOR of the direction numbers v[k] over all bits k that are set in n's Gray code. The direction
/// numbers are those of Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM Journal
/// on Scientific Computing 30, 2008:
/// - Dimension 1: v[k] = 2^(31 - k). This reverses the bits of the code.
/// - Dimension 2: v[k] = v[k - 1] ^ v[k - 1] >> 1. Bit 31 - i of v[k] is the parity of the binomial coefficient k over i.
///   It is 1 if k has all ones of i (Lucas). So bit 31 - i of y is the parity of those bits of the code whose numbers have
///   all ones of i. One step for each bit of i computes this for all i at once.
__host__ __device__ __forceinline__ SobolPoint sobol_point(unsigned n) {
    const unsigned code = n ^ n >> 1;
    unsigned parities = code;
    parities ^= parities >> 1 & 0x55555555u;
    parities ^= parities >> 2 & 0x33333333u;
    parities ^= parities >> 4 & 0x0f0f0f0fu;
    parities ^= parities >> 8 & 0x00ff00ffu;
    parities ^= parities >> 16;
    return {reversed(code), reversed(parities)};
}

/// Points 0 to 2^32 - 1.
inline constexpr std::uint64_t sobol_points = std::uint64_t{1} << 32;

/// The random shift of launch `launch`. It is applied to all points of the launch, binary digit by binary digit. Each
/// point is then uniformly distributed, and together they stay as evenly spread as before. It is Cranley and Patterson's
/// shift modulo 1 (1976) in base 2: L'Ecuyer and Lemieux, "Recent advances in randomized quasi-Monte Carlo methods", 2002,
/// section 2.6.
__host__ __device__ __forceinline__ SobolPoint sobol_shift(std::uint64_t seed, std::uint64_t launch) {
    return {stream_seed(seed, launch, 0, 0), stream_seed(seed, launch, 0, 1)};
}

/// Size of a group of points. If n is a multiple of sobol_group, then point n + i is point n ^ point i for all i below
/// sobol_group, because this holds for the Gray codes.
inline constexpr unsigned sobol_group = 32;

/// Points first to first + points - 1.
struct SobolStretch {
    unsigned first, points;
};

/// The whole groups that thread `thread` of `threads` takes from the first threads * iters points.
__host__ __device__ __forceinline__ SobolStretch sobol_groups_of(std::uint64_t thread, unsigned iters) {
    const unsigned points = iters / sobol_group * sobol_group;
    return {static_cast<unsigned>(thread * points), points};
}

/// The points that it takes after all whole groups.
__host__ __device__ __forceinline__ SobolStretch sobol_rest_of(std::uint64_t thread, std::uint64_t threads,
                                                               unsigned iters) {
    const unsigned points = iters % sobol_group;
    return {static_cast<unsigned>(threads * (iters - points) + thread * points), points};
}

}  // namespace rng
