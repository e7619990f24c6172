// Philox4x32 turns a counter into four words. With 10 rounds they equal the words of cuRAND's Philox4_32_10.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace rng {

struct PhiloxCounter {
    std::uint32_t word[4];
};
struct PhiloxKey {
    std::uint32_t word[2];
};

/// The keys of all rounds.
template <int rounds>
struct PhiloxKeys {
    PhiloxKey of_round[rounds];
};

/// They follow from the first one. A kernel that takes them as a parameter does not compute them again.
template <int rounds>
__host__ __device__ __forceinline__ PhiloxKeys<rounds> philox_keys(PhiloxKey key) {
    PhiloxKeys<rounds> keys;
    for (PhiloxKey& of_round : keys.of_round) {
        of_round = key;
        key.word[0] += 0x9e3779b9u;
        key.word[1] += 0xbb67ae85u;
    }
    return keys;
}

inline constexpr std::uint32_t philox_multiplier_a = 0xd2511f53u, philox_multiplier_b = 0xcd9e8d57u;

/// Four random words for a counter: rounds of two 32x32->64-bit multiplications. Salmon, Moraes, Dror, Shaw,
/// "Parallel random numbers: as easy as 1, 2, 3", SC11, section 4.3, with its constants.
template <int rounds>
__host__ __device__ __forceinline__ PhiloxCounter philox4x32(PhiloxCounter c, const PhiloxKeys<rounds>& keys) {
    for (const PhiloxKey& key : keys.of_round) {
        const std::uint64_t a = std::uint64_t{philox_multiplier_a} * c.word[0];
        const std::uint64_t b = std::uint64_t{philox_multiplier_b} * c.word[2];
        c = {{static_cast<std::uint32_t>(b >> 32) ^ c.word[1] ^ key.word[0], static_cast<std::uint32_t>(b),
              static_cast<std::uint32_t>(a >> 32) ^ c.word[3] ^ key.word[1], static_cast<std::uint32_t>(a)}};
    }
    return c;
}

template <int rounds>
__host__ __device__ __forceinline__ PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
    return philox4x32(counter, philox_keys<rounds>(key));
}

/// With the number of rounds that the authors recommend.
__host__ __device__ __forceinline__ PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key) {
    return philox4x32<10>(counter, key);
}

/// Words 4 n to 4 n + 3 of the sequence that cuRAND's host interface makes of `seed` in its legacy order: 2^16 subsequences
/// give four words each in turn.
__host__ __device__ __forceinline__ PhiloxCounter curand_philox_words(std::uint64_t seed, std::uint64_t n) {
    return philox4x32_10({{static_cast<std::uint32_t>(n >> 16), static_cast<std::uint32_t>(n >> 48),
                           static_cast<std::uint32_t>(n & 0xffff), 0}},
                         {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
}

/// A candidate for v14: a stream of Philox4x32-7. 7 is the fewest rounds that pass BigCrush (table 2 of the paper). The
/// key is the seed; the counter holds the number of the block of four draws, and the stream.
class Philox7 {
 public:
    __host__ __device__ __forceinline__ Philox7(std::uint64_t seed, std::uint64_t stream)
        : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
          counter_{{0, 0, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)}} {}

    __host__ __device__ __forceinline__ unsigned operator()() {
        if (turn_ == 0) {
            draws_ = philox4x32<7>(counter_, key_);
            counter_.word[0]++;
            counter_.word[1] += counter_.word[0] == 0 ? 1 : 0;
        }
        const unsigned draw = draws_.word[turn_];
        turn_ = (turn_ + 1) % 4;
        return draw;
    }

 private:
    PhiloxKey key_;
    PhiloxCounter counter_;  // of the next block
    PhiloxCounter draws_;
    unsigned turn_ = 0;
};

}  // namespace rng
