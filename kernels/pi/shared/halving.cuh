// What the kernels of v25 to v27 and their replays know of halving trees.
#pragma once

#include "kernels/pi/shared/halving_trees.cuh"
#include "kernels/pi/shared/hit.cuh"

namespace pi {

/// A warp's lanes share the samples of a node in so many layers. In later ones each lane has a node of its own.
inline constexpr unsigned shared_layers = 11;

/// Samples of a lane: a warp counts its samples in 32 bits.
inline constexpr unsigned most_halved = (1u << 27) - 1;

/// From so many on the first layer that gives a lane a node has more samples in each than a round of 20 words takes: 1 / 64 of them,
/// with six standard deviations to spare. All other loops run earlier.
inline constexpr unsigned halving_loops_from = 52'000;

/// A coordinate with the low `bits` bits of `leading`, then the upper bits of `word`. 0 < bits < 32.
__host__ __device__ __forceinline__ unsigned led_by(unsigned leading, unsigned bits, unsigned word) {
#ifdef __CUDA_ARCH__
    return __funnelshift_r(word, leading, bits);
#else
    return leading << (32 - bits) | word >> bits;
#endif
}

/// Tests a sample of a leaf: 1 for a hit, otherwise 0. `first` and `second` are new words.
__host__ __device__ __forceinline__ unsigned hit_in_leaf(unsigned leaf, unsigned first, unsigned second) {
    const unsigned x_bits = leaf >> 24 & 15, y_bits = leaf >> 28;
    return folded_hit(led_by(leaf >> y_bits, x_bits, first), led_by(leaf, y_bits, second));
}

}  // namespace pi
