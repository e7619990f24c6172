// Philox4x32-10, counter in, four words out; cuRAND's Philox4_32_10 draws the same words.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace pi {

struct PhiloxCounter {
    std::uint32_t word[4];
};
struct PhiloxKey {
    std::uint32_t word[2];
};

/// Four random words for a counter: ten rounds of two 32x32->64-bit multiplications. Salmon, Moraes, Dror, Shaw,
/// "Parallel random numbers: as easy as 1, 2, 3", SC11, section 4.3. Their constants.
__host__ __device__ __forceinline__ PhiloxCounter philox4x32_10(PhiloxCounter c, PhiloxKey key) {
    for (int round = 0; round < 10; round++) {
        const std::uint64_t a = std::uint64_t{0xd2511f53u} * c.word[0];
        const std::uint64_t b = std::uint64_t{0xcd9e8d57u} * c.word[2];
        c = {{static_cast<std::uint32_t>(b >> 32) ^ c.word[1] ^ key.word[0], static_cast<std::uint32_t>(b),
              static_cast<std::uint32_t>(a >> 32) ^ c.word[3] ^ key.word[1], static_cast<std::uint32_t>(a)}};
        key.word[0] += 0x9e3779b9u;
        key.word[1] += 0xbb67ae85u;
    }
    return c;
}

}  // namespace pi
