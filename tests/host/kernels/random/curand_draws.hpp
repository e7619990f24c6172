// cuRAND's generators behind plain functions, for tests that nvcc does not compile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace curand_draws {

/// The first `n` words of a subsequence of XORWOW.
void xorwow(std::uint64_t seed, std::uint64_t subsequence, std::uint32_t* words, std::size_t n);

/// The first `n` words of a subsequence of Philox4_32_10.
void philox(std::uint64_t seed, std::uint64_t subsequence, std::uint32_t* words, std::size_t n);

/// The first four coordinates of the same subsequence, by one call of curand_uniform4.
void philox_uniform4(std::uint64_t seed, std::uint64_t subsequence, float* coordinates);

/// The first `n` coordinates of a subsequence of XORWOW, by curand_uniform.
void xorwow_uniform(std::uint64_t seed, std::uint64_t subsequence, float* coordinates, std::size_t n);

/// `n` words of Sobol32 with these 32 direction numbers, from number `first` on.
void sobol32(const std::uint32_t* directions, std::uint32_t first, std::uint32_t* words, std::size_t n);

/// curand_uniform of a XORWOW generator whose next word is `word`.
float uniform_of(std::uint32_t word);

}  // namespace curand_draws
