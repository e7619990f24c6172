// Four samples at a time, of the words of v6: a thread's samples take pairs of successive words of its Philox subsequence.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/arrays/shared/hit.cuh"
#include "kernels/random/philox.cuh"

namespace arrays {

/// One load or store of 16 bytes for x, one for y.
inline constexpr unsigned samples_per_quad = 4;

/// Quads that hold `samples` samples.
__host__ __device__ __forceinline__ unsigned quads_of(unsigned samples) {
    return samples / samples_per_quad + (samples % samples_per_quad != 0);
}

/// The x of four samples, and their y.
struct Quad {
    uint4 x, y;
};

/// Samples 4n to 4n + 3 of a thread: two Philox counters, of four words each.
__host__ __device__ __forceinline__ Quad make_quad(std::uint64_t seed, std::uint64_t subsequence, unsigned n) {
    const rng::PhiloxKey key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    const auto low = static_cast<std::uint32_t>(subsequence), high = static_cast<std::uint32_t>(subsequence >> 32);
    const rng::PhiloxCounter a = rng::philox4x32_10({{2 * n, 0, low, high}}, key);
    const rng::PhiloxCounter b = rng::philox4x32_10({{2 * n + 1, 0, low, high}}, key);
    return {{a.word[0], a.word[2], b.word[0], b.word[2]}, {a.word[1], a.word[3], b.word[1], b.word[3]}};
}

/// Hits of the first `samples` samples of a quad.
__host__ __device__ __forceinline__ unsigned hits_of_quad(const Quad& quad, unsigned samples) {
    const auto hit = [&](unsigned i, unsigned x, unsigned y) { return i < samples && is_hit(x, y) ? 1u : 0u; };
    return hit(0, quad.x.x, quad.y.x) + hit(1, quad.x.y, quad.y.y) + hit(2, quad.x.z, quad.y.z) +
           hit(3, quad.x.w, quad.y.w);
}

}  // namespace arrays
