// Multiple recursive generators: lagged words in registers, a multiply-add a draw.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace pi {

/// A multiplier modulo 2^32 of good lattice structure: L'Ecuyer, "Tables of linear congruential generators of different
/// sizes and good lattice structure", Mathematics of Computation 68, 1999, table 4.
inline constexpr unsigned mrg_multiplier = 2891336453u;

/// Low half of a 64-bit register pair. Written in PTX because from a cast nvcc 13 makes a 64-bit product of which it
/// adds up the upper half, a zero, as well.
__host__ __device__ __forceinline__ unsigned low_half(std::uint64_t pair) {
#ifdef __CUDA_ARCH__
    unsigned low;
    asm("{.reg .u32 high; mov.b64 {%0, high}, %1;}" : "=r"(low) : "l"(pair));
    return low;
#else
    return static_cast<unsigned>(pair);
#endif
}

/// x[n] = a x[n - r] + x[n - s] modulo 2^32: one multiply-add a draw. With z^r + z^(r - s) + 1 primitive modulo 2,
/// which tests/host/kernels/random/mrg_test.cpp checks, and an odd word among its first ones the period is (2^r - 1) 2^31 (Brent, "On
/// the periods of generalized Fibonacci recurrences", Mathematics of Computation 63, 1994). Bit b repeats after (2^r -
/// 1) 2^b draws, and the lowest one is a shift register of r bits. The upper 24 bits pass the batteries. They do not pass
/// a test that knows the recurrence: the exclusive or of bits b of x[n], x[n - r], x[n - s] is 0 by 2^-b more often than
/// 1 (tests/host/kernels/random/parity_test.cpp), which shows in bits 8 to 11 within 2^27 words.
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
        for (unsigned i = 0; i + 1 < r; i++) {  // no instruction, where r draws are unrolled
            x_[i] = x_[i + 1];
        }
        return x_[r - 1] = x;
    }

 private:
    unsigned x_[r];  // the oldest one first
};

/// x[n] = a x[n - 31] + (x[n - 6] ^ x[n - 13] ^ x[n - 24]) modulo 2^32, an exclusive or of three words in place of one:
/// a candidate for v14. Modulo 2 a shift register of 31 bits by z^31 + z^25 + z^18 + z^7 + 1, which is primitive
/// (tests/host/kernels/random/mrg_test.cpp), so the period is a multiple of 2^31 - 1.
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

/// X[n] = a (X[n - r] mod 2^32) + X[n - s] modulo 2^64, one wide multiply-add; a draw D[n] is the sum of the halves of
/// X[n]. The lower halves are those of Mrg<r, s> and have its period, (2^r - 1) 2^31. The upper ones add up the upper
/// halves of the products, which every bit reaches: no bit of a draw is linear.
///
/// Over all states any s successive draws are independent, and no more: the upper half of X[n - r] is dropped, so that
/// those of the first r - s words never matter, and given the lower halves the upper ones of s words decide the rest.
/// D[n] - D[n - s] is the sum of the halves of a times one lower half, and a carry. It is not uniform. Multiplied by the
/// inverse of a modulo 2^32 - 1 it shows that in a few thousand words (quality/differences.hpp).
///
/// So use it in bit planes, never as whole words. The parity of one bit of D[n] and D[n - s] has a bias of 1.5e-10 to
/// 2.4e-10 with <11, 2> (tests/host/kernels/random/mrg_test.cpp), which 2^66 words would show; no other parity of a lane is known to have
/// one.
template <unsigned r, unsigned s>
class FoldedMrg {
 public:
    /// `first(i)`: word number i of the state, of 2 r.
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
