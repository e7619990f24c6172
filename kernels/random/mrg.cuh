// Multiple recursive generators: lagged words in registers, one multiply-add per draw.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace pi {

/// A multiplier modulo 2^32 with good lattice structure: L'Ecuyer, "Tables of linear congruential generators of different
/// sizes and good lattice structure", Mathematics of Computation 68, 1999, table 4.
inline constexpr unsigned mrg_multiplier = 2891336453u;

/// Low half of a 64-bit register pair. It is PTX because nvcc 13 compiles a cast into a full 64-bit product and also adds
/// the upper half, which is zero.
__host__ __device__ __forceinline__ unsigned low_half(std::uint64_t pair) {
#ifdef __CUDA_ARCH__
    unsigned low;
    asm("{.reg .u32 high; mov.b64 {%0, high}, %1;}" : "=r"(low) : "l"(pair));
    return low;
#else
    return static_cast<unsigned>(pair);
#endif
}

/// x[n] = a x[n - r] + x[n - s] modulo 2^32: one multiply-add per draw.
///
/// The period is (2^r - 1) 2^31 if z^r + z^(r - s) + 1 is primitive modulo 2, which
/// tests/host/kernels/random/mrg_test.cpp checks, and if one of the first words is odd (Brent, "On the periods of
/// generalized Fibonacci recurrences", Mathematics of Computation 63, 1994). Bit b repeats after (2^r - 1) 2^b draws. The
/// lowest bit is a shift register of r bits.
///
/// The upper 24 bits pass the batteries. They fail a test that knows the recurrence: the exclusive or of bit b of x[n],
/// x[n - r] and x[n - s] is 0 more often than 1, by 2^-b (tests/host/kernels/random/parity_test.cpp). In bits 8 to 11 this
/// shows within 2^27 words.
template <unsigned r, unsigned s>
class Mrg {
 public:
    /// `first(i)`: word number i of the state.
    template <typename First>
    __host__ __device__ __forceinline__ explicit Mrg(First first) {
        for (unsigned i = 0; i < r; i++) {
            x_[i] = first(i);
        }
        x_[0] |= 1;
    }

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned x = mrg_multiplier * x_[0] + x_[r - s];
        for (unsigned i = 0; i + 1 < r; i++) {  // costs no instruction if r draws are unrolled
            x_[i] = x_[i + 1];
        }
        return x_[r - 1] = x;
    }

 private:
    unsigned x_[r];  // the oldest one first
};

/// A candidate for v14: x[n] = a x[n - 31] + (x[n - 6] ^ x[n - 13] ^ x[n - 24]) modulo 2^32. It adds the exclusive or of
/// three words where Mrg adds one word. Modulo 2 it is a shift register of 31 bits with the polynomial
/// z^31 + z^25 + z^18 + z^7 + 1, which is primitive (tests/host/kernels/random/mrg_test.cpp). So the period is a multiple
/// of 2^31 - 1.
class XorMrg {
 public:
    template <typename First>
    __host__ __device__ __forceinline__ explicit XorMrg(First first) {
        for (unsigned i = 0; i < r; i++) {
            x_[i] = first(i);
        }
        x_[0] |= 1;
    }

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned x = mrg_multiplier * x_[0] + (x_[r - 6] ^ x_[r - 13] ^ x_[r - 24]);
        for (unsigned i = 0; i + 1 < r; i++) {
            x_[i] = x_[i + 1];
        }
        return x_[r - 1] = x;
    }

 private:
    static constexpr unsigned r = 31;
    unsigned x_[r];  // the oldest one first
};

/// X[n] = a (X[n - r] mod 2^32) + X[n - s] modulo 2^64: one wide multiply-add per draw. The draw D[n] is the sum of the
/// halves of X[n]. The lower halves equal the words of Mrg<r, s> and have its period, (2^r - 1) 2^31. The upper halves
/// accumulate the upper halves of the products, which depend on every bit. So no bit of a draw is linear.
///
/// Over all states any s successive draws are independent, but not more than s. The recurrence drops the upper half of
/// X[n - r], so the upper halves of the first r - s words never matter. Given the lower halves, the upper halves of s
/// words determine the rest. D[n] - D[n - s] is the sum of the halves of a times one lower half, plus a carry. It is not
/// uniform: multiplied by the inverse of a modulo 2^32 - 1, a few thousand words show it (quality/differences.hpp).
///
/// So use it in bit planes, never as whole words. With <11, 2> the parity of one bit of D[n] and D[n - s] has a bias of
/// 1.5e-10 to 2.4e-10 (tests/host/kernels/random/mrg_test.cpp), which 2^66 words would show. No other parity of a lane is
/// known to have a bias.
template <unsigned r, unsigned s>
class FoldedMrg {
 public:
    /// `first(i)`: word number i of the 2 r words of the state.
    template <typename First>
    __host__ __device__ __forceinline__ explicit FoldedMrg(First first) {
        for (unsigned i = 0; i < r; i++) {
            x_[i] = std::uint64_t{first(2 * i)} << 32 | first(2 * i + 1);
        }
        x_[0] |= 1;
    }

    __host__ __device__ __forceinline__ unsigned operator()() {
        const std::uint64_t x = std::uint64_t{mrg_multiplier} * low_half(x_[0]) + x_[r - s];
        for (unsigned i = 0; i + 1 < r; i++) {
            x_[i] = x_[i + 1];
        }
        x_[r - 1] = x;
        return static_cast<unsigned>(x >> 32) + static_cast<unsigned>(x);
    }

 private:
    std::uint64_t x_[r];  // the oldest one first
};

}  // namespace pi
