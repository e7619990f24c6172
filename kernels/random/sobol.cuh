// The first two dimensions of Sobol's sequence, any point from its number.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/random/stream_seed.cuh"

namespace pi {

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
/// 1979: the exclusive or of the direction numbers v[k] of the ones of n's Gray code. Direction numbers of Joe and Kuo,
/// "Constructing Sobol sequences with better two-dimensional projections", SIAM Journal on Scientific Computing 30, 2008:
/// dimension 1, v[k] = 2^(31 - k), which reverses the bits; dimension 2, v[k] = v[k - 1] ^ v[k - 1] >> 1, of which bit
/// 31 - i is the parity of the binomial coefficient k over i, 1 if k has all ones of i (Lucas). So that bit of y is the
/// parity of the code's bits whose numbers have all ones of i, for all i at once in a step for each bit of i.
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

/// The scrambling of launch `launch`: what all its points are shifted by, digit by digit, so that each of them is uniformly
/// distributed and all together are spread as evenly as before. Cranley and Patterson's shift modulo 1 (1976) in base 2:
/// L'Ecuyer and Lemieux, "Recent advances in randomized quasi-Monte Carlo methods", 2002, section 2.6.
__host__ __device__ __forceinline__ SobolPoint sobol_shift(std::uint64_t seed, std::uint64_t launch) {
    return {stream_seed(seed, launch, 0, 0), stream_seed(seed, launch, 0, 1)};
}

/// Points whose numbers start at a multiple of sobol_group are the first one of them by exclusive or with the points 0 to
/// sobol_group - 1, because the number's Gray code is.
inline constexpr unsigned sobol_group = 32;

/// Points first to first + points - 1.
struct SobolStretch {
    unsigned first, points;
};

/// What thread `thread` of `threads` takes of the first threads * iters points in whole groups.
__host__ __device__ __forceinline__ SobolStretch sobol_groups_of(std::uint64_t thread, unsigned iters) {
    const unsigned points = iters / sobol_group * sobol_group;
    return {static_cast<unsigned>(thread * points), points};
}

/// What it takes behind all groups.
__host__ __device__ __forceinline__ SobolStretch sobol_rest_of(std::uint64_t thread, std::uint64_t threads,
                                                               unsigned iters) {
    const unsigned points = iters % sobol_group;
    return {static_cast<unsigned>(threads * (iters - points) + thread * points), points};
}

}  // namespace pi
