#include <algorithm>
#include <iterator>

#include "kernels/random/curand.cuh"
#include "tests/host/kernels/random/curand_draws.hpp"

namespace curand_draws {

void xorwow(std::uint64_t seed, std::uint64_t subsequence, std::uint32_t* words, std::size_t n) {
    curandState_t rng;
    curand_init(seed, subsequence, 0, &rng);
    for (std::size_t i = 0; i < n; i++) {
        words[i] = curand(&rng);
    }
}

void philox(std::uint64_t seed, std::uint64_t subsequence, std::uint32_t* words, std::size_t n) {
    curandStatePhilox4_32_10_t rng;
    curand_init(seed, subsequence, 0, &rng);
    for (std::size_t i = 0; i < n; i++) {
        words[i] = curand(&rng);
    }
}

void philox_uniform4(std::uint64_t seed, std::uint64_t subsequence, float* coordinates) {
    curandStatePhilox4_32_10_t rng;
    curand_init(seed, subsequence, 0, &rng);
    const float4 four = curand_uniform4(&rng);
    coordinates[0] = four.x;
    coordinates[1] = four.y;
    coordinates[2] = four.z;
    coordinates[3] = four.w;
}

void xorwow_uniform(std::uint64_t seed, std::uint64_t subsequence, float* coordinates, std::size_t n) {
    curandState_t rng;
    curand_init(seed, subsequence, 0, &rng);
    for (std::size_t i = 0; i < n; i++) {
        coordinates[i] = curand_uniform(&rng);
    }
}

void sobol32(const std::uint32_t* directions, std::uint32_t first, std::uint32_t* words, std::size_t n) {
    curandDirectionVectors32_t own;
    std::copy(directions, directions + std::size(own), own);
    curandStateSobol32_t sequence;
    curand_init(own, first, &sequence);
    for (std::size_t i = 0; i < n; i++) {
        words[i] = curand(&sequence);
    }
}

float uniform_of(std::uint32_t word) {
    // A word is the sum of a xorshift, here kept at 0, and of a counter that advances by 362437 before each draw.
    curandState_t rng = {};
    rng.d = word - 362437u;
    return curand_uniform(&rng);
}

}  // namespace curand_draws
