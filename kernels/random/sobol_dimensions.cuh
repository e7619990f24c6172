// Sobol's sequence in up to eight dimensions, from tables of direction numbers.
#pragma once

#include <cuda_runtime.h>

#include "kernels/random/stream_seed.cuh"

namespace rng {

/// One word for each dimension: a point in units of 2^-32, or a direction number for each of its words.
template <unsigned dimensions>
struct SobolWords {
    unsigned word[dimensions];
};

template <unsigned dimensions>
__host__ __device__ __forceinline__ void operator^=(SobolWords<dimensions>& a, const SobolWords<dimensions>& b) {
    for (unsigned d = 0; d < dimensions; d++) a.word[d] ^= b.word[d];
}

/// Direction numbers for each bit of a point's Gray code, the lowest bit first.
template <unsigned dimensions>
struct SobolDirections {
    SobolWords<dimensions> of_bit[32];
};

/// Those of Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM Journal on Scientific
/// Computing 30, 2008: their file new-joe-kuo-6, which is cuRAND's CURAND_DIRECTION_VECTORS_32_JOEKUO6. A dimension has a
/// primitive polynomial modulo 2, without its first and last coefficient, and the first direction numbers.
template <unsigned dimensions>
constexpr SobolDirections<dimensions> joe_kuo_directions() {
    struct Dimension {
        unsigned degree, coefficients, first[5];
    };
    constexpr Dimension known[] = {
        {0, 0, {}},        {1, 0, {1}},          {2, 1, {1, 3}},        {3, 1, {1, 3, 1}},
        {3, 2, {1, 1, 1}}, {4, 1, {1, 1, 3, 3}}, {4, 4, {1, 3, 5, 13}}, {5, 2, {1, 1, 5, 5, 17}}};
    static_assert(dimensions <= sizeof known / sizeof *known);
    SobolDirections<dimensions> directions = {};
    for (unsigned d = 0; d < dimensions; d++) {
        const auto& [degree, coefficients, first] = known[d];
        for (unsigned k = 0; k < 32; k++) {
            unsigned direction = 0;
            if (degree == 0) {
                direction = 1u << (31 - k);
            } else if (k < degree) {
                direction = first[k] << (31 - k);
            } else {
                const unsigned oldest = directions.of_bit[k - degree].word[d];
                direction = oldest ^ oldest >> degree;
                for (unsigned i = 1; i < degree; i++) {
                    if (coefficients >> (degree - 1 - i) & 1) direction ^= directions.of_bit[k - i].word[d];
                }
            }
            directions.of_bit[k].word[d] = direction;
        }
    }
    return directions;
}

/// Point `n` in the order of cuRAND and of Antonov and Saleev (kernels/random/sobol.cuh).
template <unsigned dimensions>
__host__ __device__ __forceinline__ SobolWords<dimensions> sobol_point_of(const SobolDirections<dimensions>& directions,
                                                                          unsigned n) {
    SobolWords<dimensions> point = {};
    for (unsigned code = n ^ n >> 1, bit = 0; code != 0; code >>= 1, bit++) {
        if (code & 1) point ^= directions.of_bit[bit];
    }
    return point;
}

/// The random shift of launch `launch` (kernels/random/sobol.cuh).
template <unsigned dimensions>
SobolWords<dimensions> sobol_shift_of(std::uint64_t seed, std::uint64_t launch) {
    SobolWords<dimensions> shift;
    for (unsigned d = 0; d < dimensions; d++) shift.word[d] = stream_seed(seed, launch, 0, d);
    return shift;
}

}  // namespace rng
