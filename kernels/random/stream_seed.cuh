// Initial states for generators with 32 bits of state.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace rng {

/// A bijection of 64-bit words in which every input bit affects every output bit: Stafford's "Mix13", the finaliser of
/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
__host__ __device__ __forceinline__ std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/// Initial state of stream number `stream` of thread `thread` in launch `launch` of a run with seed `seed`. It is hashed,
/// because neighbouring seeds (base + thread id) give correlated streams in every 32-bit generator.
__host__ __device__ __forceinline__ unsigned stream_seed(std::uint64_t seed, std::uint64_t launch, std::uint64_t thread,
                                                         unsigned stream) {
    constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ull;  // 2^64 / phi, SplitMix64's increment
    std::uint64_t hash = mix64(seed + golden_ratio);
    hash = mix64(hash + launch + golden_ratio);
    hash = mix64(hash + thread + golden_ratio);
    hash = mix64(hash + stream + golden_ratio);
    return static_cast<unsigned>(hash >> 32);
}

}  // namespace rng
