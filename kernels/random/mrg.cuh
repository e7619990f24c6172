// Multiple recursive generators: lagged words in registers, one multiply-add per draw.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace rng {

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
/// The upper 24 bits pass the batteries. They fail a test that knows the recurrence: the XOR of bit b of x[n],
/// x[n - r] and x[n - s] is 0 more often than 1, by 2^-b (tests/host/kernels/random/parity_test.cpp). In bits 8 to 11 this
/// shows within 2^27 words.
template <unsigned r, unsigned s>
class Mrg {
 public:
    static constexpr unsigned round = r, short_lag = s;

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

 protected:
    unsigned x_[r];  // the oldest one first
};

/// A candidate for v14: x[n] = a x[n - 31] + (x[n - 6] ^ x[n - 13] ^ x[n - 24]) modulo 2^32. It adds the XOR of
/// three words where Mrg adds one word. Modulo 2 it is a shift register of 31 bits with the polynomial
/// z^31 + z^25 + z^18 + z^7 + 1, which is primitive (tests/host/kernels/random/mrg_test.cpp). So the period is a multiple
/// of 2^31 - 1.
class XorMrg {
 public:
    static constexpr unsigned round = 31;

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
    static constexpr unsigned r = round;
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
/// 1.5e-10 to 2.4e-10 in bits 0, 1, 30 and 31 (tests/host/kernels/random/mrg_test.cpp), which 2^69 words would show (5 sd).
/// No other parity of a lane is known to have a bias. (v15 takes two successive draws as whole words for the last test of
/// a sample, which 1 sample in 128 reaches.)
template <unsigned r, unsigned s>
class FoldedMrg {
 public:
    static constexpr unsigned round = r;  // draws after which every word is in the same register again
    static constexpr unsigned turns = 1;  // draws after which the way to make one comes again
    static constexpr unsigned short_lag = s;

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

/// `sum` plus the dot product of the four bytes of `a` with those of `b`: the instruction DP4A, IDP in machine code (PTX
/// ISA, dp4a.u32.u32).
__host__ __device__ __forceinline__ unsigned dot_of_bytes(unsigned a, unsigned b, unsigned sum) {
#ifdef __CUDA_ARCH__
    return __dp4a(a, b, sum);
#else
    for (unsigned shift = 0; shift < 32; shift += 8) {
        sum += (a >> shift & 0xff) * (b >> shift & 0xff);
    }
    return sum;
#endif
}

/// x[n] = a x[n - r] + x[n - s] modulo 2^32, as in Mrg, and the draw is D[n] = x[n] + g(x[n - r + j]), where g(x) is the dot
/// product of the bytes of x with those of K. One multiply-add and one dot product per draw.
///
/// In Mrg low bits never depend on high ones, which makes the low bits weak. g adds all four bytes of another word, so bits
/// 0, 8, 16 and 24 of that word all reach bit 0 of the draw.
///
/// The period of the state is that of Mrg<r, s>, (2^r - 1) 2^31. With j = r - 1 any r - 1 successive draws are independent
/// and uniform over all states: for a given last word of the state, its other words and the next r - 1 draws determine each
/// other.
///
/// D[n] - a D[n - r] - D[n - s] = g(w) - a g(u) - g(v), with three words w = a u + v. This difference is not uniform: to a
/// test that knows a, 6,000 whole words show it. So the parity of one bit of the three draws has a bias, which depends on a
/// and K alone. Exact sums (tests/host/kernels/random/dot_mrg_test.cpp) give for K = 0xd9c9a5a1 at most 3e-9 in bits 0 to 7,
/// which 3e18 words would show (5 sd), and less than 3e-12 in bits 8 to 15. Of bits 16 to 31 only the leading terms are known,
/// which are smaller. Other K are worse: 0x6b9f3d55 has 2.7e-6 in bit 2, 0x9d89a3b9 has 1.6e-4 in bit 3. So use DotMrg in
/// bit planes, never as whole words. (v18 takes two whole words for the last test of a sample, which 1 sample in 128 reaches.)
template <unsigned r, unsigned s, unsigned j, unsigned K>
class DotMrg : private Mrg<r, s> {
 public:
    static_assert(0 < j && j < r);
    static constexpr unsigned round = r, turns = 1;
    static constexpr unsigned short_lag = s, mixed = j, factors = K;

    using Mrg<r, s>::Mrg;

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned dotted = this->x_[j];
        return dot_of_bytes(dotted, K, Mrg<r, s>::operator()());
    }
};

/// x[n] = a x[n - r] + x[n - s] modulo 2^32, as in Mrg, and two ways to make a draw of it in turns: D[n] = x[n] + g(x[n - 1])
/// for even n, with the dot product g of DotMrg, and D[n] = x[n] + h(x[n - 1]) for odd n, with h(x) = floor(x / 2^16). The
/// dot product takes the pipe of the multiply-add, and the shift and addition are one instruction of another pipe.
///
/// The period of the state is that of Mrg<r, s>, (2^r - 1) 2^31. Any r - 1 successive draws are independent and uniform over
/// all states, for the same reason as those of DotMrg with j = r - 1.
///
/// r is even and s is odd, so D[n] and D[n - r] are made in one way and D[n - s] in the other. That is what makes low bits
/// better than either way alone. With u = x[n - r - 1], v = x[n - s - 1] and w = x[n - 1] = a u + v,
/// e = D[n] - a D[n - r] - D[n - s] is g(w) - a g(u) - h(v) for even n and h(w) - a h(u) - g(v) for odd n. Modulo 2^8 the upper
/// byte of v enters e through g alone, of w or of v, times an odd byte of K: e is uniform. So the low 8 bits of the three
/// draws are independent. The parity of bit 8, 9 or 10 has a bias below 6e-10; for higher bits no bound as small is known
/// (tests/host/kernels/random/alternating_mrg_test.cpp). As with DotMrg, a test that knows a sees e in whole words, so use
/// AlternatingMrg in bit planes.
template <unsigned r, unsigned s, unsigned K>
class AlternatingMrg : private Mrg<r, s> {
 public:
    static_assert(r % 2 == 0 && s % 2 == 1);
    static_assert((K & 0x01010101) == 0x01010101, "every byte is odd");
    static constexpr unsigned round = r, turns = 2;
    static constexpr unsigned short_lag = s, mixed = r - 1, factors = K;

    using Mrg<r, s>::Mrg;

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned before = this->x_[r - 1];
        const unsigned word = Mrg<r, s>::operator()();
        odd_ = !odd_;
        return odd_ ? dot_of_bytes(before, K, word) : word + (before >> 16);
    }

 private:
    bool odd_ = false;  // a constant wherever draws are unrolled by turns
};

/// As AlternatingMrg, but of four draws three take the dot product: D[n] = x[n] + h(x[n - 1]) for n = 3 modulo 4, and otherwise
/// D[n] = x[n] + g(x[n - 1]). r is a multiple of four, so D[n] and D[n - r] are made in one way. For n = 2 and n = 3 modulo 4,
/// D[n - s] is made in the other one, so the low 8 bits of the three draws are independent, as in AlternatingMrg. In the other
/// half of all cases all three take the dot product, as in DotMrg.
template <unsigned r, unsigned s, unsigned K>
class ThreeDotsMrg : private Mrg<r, s> {
 public:
    static_assert(r % 4 == 0 && s % 4 == 3);
    static_assert((K & 0x01010101) == 0x01010101, "every byte is odd");
    static constexpr unsigned round = r, turns = 4;
    static constexpr unsigned short_lag = s, mixed = r - 1, factors = K;

    using Mrg<r, s>::Mrg;

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned before = this->x_[r - 1];
        const unsigned word = Mrg<r, s>::operator()();
        turn_ = (turn_ + 1) % turns;
        return turn_ != 0 ? dot_of_bytes(before, K, word) : word + (before >> 16);
    }

 private:
    unsigned turn_ = 0;  // a constant wherever draws are unrolled by turns
};

/// x[n] = a x[n - r] + x[n - s] modulo 2^32, as in Mrg, and two shifts in turns: D[n] = x[n] + floor(x[n - 1] / 2^11) for even n,
/// and D[n] = x[n] + floor(x[n - 1] / 2^16) for odd n. A shift and addition are one instruction, which is not of the pipe of the
/// multiply-add.
///
/// The period of the state is that of Mrg<r, s>, (2^r - 1) 2^31. Any r - 1 successive draws are independent and uniform over
/// all states, for the same reason as those of DotMrg with j = r - 1.
///
/// r is even and s is odd, so D[n] and D[n - r] are shifted alike and D[n - s] otherwise. With u = x[n - r - 1],
/// v = x[n - s - 1] and x[n - 1] = a u + v, let V be the upper half of v. Modulo 2^16 it enters D[n] - a D[n - r] - D[n - s] as
/// 2^5 V - V for even n and as V - 2^5 V for odd n, that is as 31 V or -31 V, and 31 is odd: this difference is uniform. So the low
/// 16 bits of the three draws are independent (tests/host/kernels/random/shifted_mrg_test.cpp). The parity of a bit from 20
/// to 24 has a bias below 1.2e-7, by the same test; without the shifts it would be 2^-b in bit b. As with DotMrg, a test that knows a sees whole words, so
/// use ShiftedMrg in bit planes.
template <unsigned r, unsigned s>
class ShiftedMrg : private Mrg<r, s> {
 public:
    static_assert(r % 2 == 0 && s % 2 == 1);
    static constexpr unsigned round = r, turns = 2;
    static constexpr unsigned short_lag = s;
    static constexpr unsigned even_shift = 11, odd_shift = 16;

    using Mrg<r, s>::Mrg;

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned before = this->x_[r - 1];
        const unsigned word = Mrg<r, s>::operator()();
        odd_ = !odd_;
        return word + (before >> (odd_ ? even_shift : odd_shift));
    }

 private:
    bool odd_ = false;  // a constant wherever draws are unrolled by turns
};

}  // namespace rng
