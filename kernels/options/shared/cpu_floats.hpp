// Vector registers as floats and words of 32 bits side by side, with the functions that a GPU's special function unit has.
// Compiled for several instruction sets, as kernels/cpu/vector.hpp is.
//
// The floats of different sets differ in the last bits.
#pragma once

#include <utility>

#include "kernels/cpu/vector.hpp"
#include "kernels/options/shared/cpu_streams.hpp"
#include "kernels/random/mrg.cuh"

namespace options::CLONE {

#if defined(WITH_AVX512)
inline constexpr __mmask16 every_lane =
    0xffff;  // GCC 12 warns that functions without a mask read what is not initialised
#endif
inline constexpr unsigned register_bytes = vectors::CLONE::vector_bytes;
inline constexpr unsigned register_width = vectors::CLONE::vector_words;
inline constexpr unsigned registers = 4, width = registers * register_width;
static_assert(lanes_of_stream % width == 0);

// Registers, with the compilers' operators for each number.
typedef float FloatRegister __attribute__((vector_size(register_bytes)));
typedef unsigned WordRegister __attribute__((vector_size(register_bytes)));
typedef int IntegerRegister __attribute__((vector_size(register_bytes)));
typedef double DoubleRegister __attribute__((vector_size(register_bytes)));
typedef int HalfRegister __attribute__((vector_size(register_bytes / 2)));

/// Several registers, which are worked on in turns: while one waits for its result, another starts. A processor looks ahead
/// too, but not as far as the chain of a normal's operations is long.
template <typename Register>
struct Several {
    Register part[registers];
};

template <typename Register, typename Function, unsigned... i>
__forceinline__ Several<Register> each_of(Function function, std::integer_sequence<unsigned, i...>) {
    return {{function(i)...}};
}

/// The registers function(0), function(1), ...
template <typename Register, typename Function>
__forceinline__ Several<Register> each(Function function) {
    return each_of<Register>(function, std::make_integer_sequence<unsigned, registers>{});
}

using Words = Several<WordRegister>;

__forceinline__ Words operator+(Words a, Words b) {
    return each<WordRegister>([&](unsigned i) INLINED { return a.part[i] + b.part[i]; });
}
__forceinline__ Words operator*(Words a, unsigned b) {
    return each<WordRegister>([&](unsigned i) INLINED { return a.part[i] * b; });
}

/// Floats as a type of this namespace, where fmaf is found by formulas that the GPU's floats share.
struct Floats : Several<FloatRegister> {
    __forceinline__ Floats(const Several<FloatRegister>& floats) : Several(floats) {}
    __forceinline__ Floats(float x)
        : Several(each<FloatRegister>([&](unsigned) INLINED { return x - FloatRegister{}; })) {}
};

template <typename Function>
__forceinline__ Floats each_float(Function function) {
    return each<FloatRegister>(function);
}

__forceinline__ Floats operator-(Floats a) {
    return each_float([&](unsigned i) INLINED { return -a.part[i]; });
}
__forceinline__ Floats operator+(Floats a, Floats b) {
    return each_float([&](unsigned i) INLINED { return a.part[i] + b.part[i]; });
}
__forceinline__ Floats operator-(Floats a, Floats b) {
    return each_float([&](unsigned i) INLINED { return a.part[i] - b.part[i]; });
}
__forceinline__ Floats operator*(Floats a, Floats b) {
    return each_float([&](unsigned i) INLINED { return a.part[i] * b.part[i]; });
}

/// The words as numbers with a sign, rounded.
__forceinline__ Floats signed_floats(Words words) {
    return each_float([&](unsigned i)
                          INLINED { return __builtin_convertvector((IntegerRegister)words.part[i], FloatRegister); });
}

__forceinline__ FloatRegister fma_of(FloatRegister a, FloatRegister b, FloatRegister c) {
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(WITH_AVX2)
    return (FloatRegister)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}
__forceinline__ Floats fmaf(Floats a, Floats b, Floats c) {
    return each_float([&](unsigned i) INLINED { return fma_of(a.part[i], b.part[i], c.part[i]); });
}

// Where a or b is NaN they give b.
__forceinline__ FloatRegister min_of(FloatRegister a, FloatRegister b) {
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_maskz_min_ps(every_lane, (__m512)a, (__m512)b);
#else
    return a < b ? a : b;
#endif
}
__forceinline__ Floats fminf(Floats a, Floats b) {
    return each_float([&](unsigned i) INLINED { return min_of(a.part[i], b.part[i]); });
}
__forceinline__ FloatRegister max_of(FloatRegister a, FloatRegister b) {
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_maskz_max_ps(every_lane, (__m512)a, (__m512)b);
#else
    return a > b ? a : b;
#endif
}
__forceinline__ Floats fmaxf(Floats a, Floats b) {
    return each_float([&](unsigned i) INLINED { return max_of(a.part[i], b.part[i]); });
}

__forceinline__ FloatRegister signed_by(WordRegister word, FloatRegister x) {
#if defined(WITH_AVX512)
    constexpr int exclusive_or_of_and = 0x78;  // x ^ (word & sign)
    const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000u));
    return (FloatRegister)_mm512_ternarylogic_epi32((__m512i)x, (__m512i)word, sign, exclusive_or_of_and);
#else
    return (FloatRegister)((WordRegister)x ^ (word & 0x80000000u));
#endif
}
/// x, negated where the uppermost bit of the word is 1.
__forceinline__ Floats with_sign_of(Words word, Floats x) {
    return each_float([&](unsigned i) INLINED { return signed_by(word.part[i], x.part[i]); });
}

__forceinline__ DoubleRegister doubles(HalfRegister integers) {
#if defined(WITH_AVX512)
    // GCC 12 splits __builtin_convertvector in two.
    return (DoubleRegister)_mm512_maskz_cvtepi32_pd(0xff, (__m256i)integers);
#else
    return __builtin_convertvector(integers, DoubleRegister);
#endif
}

#if defined(WITH_AVX512)
inline constexpr double root_unit = 0.5;

/// A reciprocal root of 14 bits and a step of Newton's iteration, without its factor 1/2. The divider takes 13 cycles for roots of
/// 16 floats, and holds up the other units.
__forceinline__ FloatRegister root_of(FloatRegister x) {
    const __m512 reciprocal = _mm512_maskz_rsqrt14_ps(every_lane, (__m512)x);
    const FloatRegister root = x * (FloatRegister)reciprocal;
    return root * (FloatRegister)_mm512_fnmadd_ps((__m512)root, reciprocal, _mm512_set1_ps(3));
}
#else
inline constexpr double root_unit = 1;

__forceinline__ FloatRegister root_of(FloatRegister x) {
#if defined(WITH_AVX2)
    return (FloatRegister)_mm256_sqrt_ps((__m256)x);
#elif defined(WITH_SSE2)
    return (FloatRegister)_mm_sqrt_ps((__m128)x);
#else
    float roots[register_width];
    __builtin_memcpy(roots, &x, sizeof x);
    for (float& root : roots) root = __builtin_sqrtf(root);
    __builtin_memcpy(&x, roots, sizeof x);
    return x;
#endif
}
#endif
/// sqrt(x) over root_unit, for x > 0, within 1.5e-7 of its value.
__forceinline__ Floats root(Floats x) {
    return each_float([&](unsigned i) INLINED { return root_of(x.part[i]); });
}

/// sqrt(x) over root_unit as root(), also where rounding left x at 0 or below; that counts as 1e-30, whose reciprocal root is finite.
/// NaN stays NaN.
__forceinline__ Floats root_of_rounded(Floats x) { return root(fmaxf(1e-30f, x)); }

/// c[0] + c[1] x + ... + c[n - 1] x^(n - 1).
template <unsigned n>
__forceinline__ Floats polynomial(const float (&c)[n], Floats x) {
    Floats sum = c[n - 1];
#pragma GCC unroll 16
    for (unsigned i = n - 1; i > 0; i--) sum = fmaf(sum, x, c[i - 1]);
    return sum;
}

/// |x| is 2 m 2^exponent, where m is in [1/2, 1). |x| is above 2^-126.
__forceinline__ FloatRegister mantissa_of(FloatRegister x) {
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_maskz_getmant_ps(every_lane, (__m512)x, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_zero);
#else
    return (FloatRegister)(((WordRegister)x & 0x7fffffu) | 0x3f000000u);
#endif
}
__forceinline__ FloatRegister exponent_of(FloatRegister x) {
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_maskz_getexp_ps(every_lane, (__m512)x);
#else
    return __builtin_convertvector((IntegerRegister)((WordRegister)x << 1 >> 24), FloatRegister) - 127.0f;
#endif
}

/// -log2 |x / 2| for 2^-126 < |x| <= 2, within 7e-7.
///
/// With |x / 2| = m 2^e it is -e + f P(f), f = m - 1, where P is a minimax fit such that errors of the root of the logarithm are
/// small, at most 3.3e-7. For |x| = 2 the logarithm is 4e-7, where it should be 0: it is never 0 or less.
__forceinline__ Floats minus_log2_of_half(Floats x) {
    constexpr float p[] = {-1.4427108764648438f, 0.7202508449554443f,  -0.5025858283042908f, 0.17488479614257812f,
                           -1.0799143314361572f, -1.4521656036376953f, -1.7627477645874023f};
    const Floats f = each_float([&](unsigned i) INLINED { return mantissa_of(x.part[i]); }) - 1.0f;
    const Floats exponent = each_float([&](unsigned i) INLINED { return exponent_of(x.part[i]); });
    return fmaf(f, polynomial(p, f), -exponent);
}

/// As rng::log2_of_31_bits and rng::half_angle.
__forceinline__ Floats minus_log2_of_31_bits(Words word) {
    return minus_log2_of_half(fmaf(signed_floats(word), 0x1p-30f, 0x1p-31f));
}
__forceinline__ Floats half_angle(Words word) { return signed_floats(word) * 0x1p-31f; }

/// sqrt(-log2 u) of the word of a radius, over root_unit.
__forceinline__ Floats radius(Words word) { return root(minus_log2_of_31_bits(word)); }

/// power 2^n. The lowest bits of `shifted` are those of n.
__forceinline__ FloatRegister scaled_by(FloatRegister power, FloatRegister shifted, FloatRegister n) {
#if defined(WITH_AVX512)
    static_cast<void>(shifted);
    return (FloatRegister)_mm512_maskz_scalef_ps(every_lane, (__m512)power, (__m512)n);
#else
    static_cast<void>(n);
    return (FloatRegister)((WordRegister)power + ((WordRegister)shifted << 23));
#endif
}

/// 2^x for |x| < 126, within 2e-7 of its value: 2^n times a minimax polynomial of x - n, where n is the integer next
/// to x.
__forceinline__ Floats exp2f(Floats x) {
    constexpr float p[] = {1.0f,
                           0.6931470036506653f,
                           0.24022242426872253f,
                           0.05550733581185341f,
                           0.009671512991189957f,
                           0.001326472731307149f};
    constexpr float to_integer = 12582912.0f;  // 2^23 + 2^22: the sum's lowest bits are an integer
    const Floats shifted = x + to_integer, n = shifted - to_integer;
    const Floats power = polynomial(p, x - n);
    return each_float([&](unsigned i) INLINED { return scaled_by(power.part[i], shifted.part[i], n.part[i]); });
}

/// Words of generators side by side, each as rng::MrgDraws draws them.
class MrgDraws {
 public:
    /// Those of lanes `first` to first + width - 1.
    __forceinline__ MrgDraws(const LaneStates& states, unsigned first) {
        for (unsigned i = 0; i < lag; i++) __builtin_memcpy(&words_[i], &states.word[i][first], sizeof words_[i]);
    }

    __forceinline__ Words operator()() {
        const Words word = words_[(drawn_ + places - lag) % places] * rng::mrg_multiplier +
                           words_[(drawn_ + places - short_lag) % places];
        words_[drawn_++ % places] = word;
        return word;
    }

 private:
    static constexpr unsigned lag = LaneStates::lag, short_lag = LaneStates::short_lag;
    static constexpr unsigned places = 64;  // a power of two, so that a place costs no division

    Words words_[places];
    unsigned drawn_ = lag;  // with the words of the state
};

}  // namespace options::CLONE
