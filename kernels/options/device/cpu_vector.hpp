// Vector registers of the instruction set that a file is compiled for, as floats and words of 32 bits side by side, with the
// functions that a GPU's special function unit has. The loops of the steps are compiled for several sets. So everything here is
// in a namespace of the set, CLONE, and always inlined: otherwise the linker might take code of the wider set for the narrower
// one.
//
// With fused multiply-adds, AVX2 and AVX-512, all give the same floats. Without them each rounds once more.
#pragma once

#include "kernels/options/device/cpu_streams.hpp"
#include "kernels/random/mrg.cuh"

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define WITH_AVX512
#elif defined(__AVX2__) && defined(__FMA__)
#define WITH_AVX2
#endif

namespace options::CLONE {

#if defined(WITH_AVX512)
inline constexpr unsigned vector_bytes = 64;
inline constexpr __mmask16 every_lane = 0xffff;  // GCC 12 warns that functions without a mask read what is not initialised
#elif defined(WITH_AVX2)
inline constexpr unsigned vector_bytes = 32;
#else
inline constexpr unsigned vector_bytes = 16;
#endif
inline constexpr unsigned width = vector_bytes / sizeof(float);  // numbers of a register

// Registers, with the compilers' operators for each number.
typedef float FloatRegister __attribute__((vector_size(vector_bytes)));
typedef unsigned Words __attribute__((vector_size(vector_bytes)));
typedef int Integers __attribute__((vector_size(vector_bytes)));

/// Floats as a type of this namespace, where fmaf is found by formulas that the GPU's floats share.
struct Floats {
    FloatRegister of;
    __forceinline__ Floats(FloatRegister floats) : of(floats) {}
    __forceinline__ Floats(float all) : of(all - FloatRegister{}) {}
};

__forceinline__ Floats operator-(Floats a) { return -a.of; }
__forceinline__ Floats operator+(Floats a, Floats b) { return a.of + b.of; }
__forceinline__ Floats operator-(Floats a, Floats b) { return a.of - b.of; }
__forceinline__ Floats operator*(Floats a, Floats b) { return a.of * b.of; }

__forceinline__ Words bits_of(Floats x) { return (Words)x.of; }
__forceinline__ Floats of_bits(Words bits) { return (FloatRegister)bits; }

/// The words as numbers with a sign, rounded.
__forceinline__ Floats signed_floats(Words words) {
    return __builtin_convertvector((Integers)words, FloatRegister);
}

__forceinline__ Floats fmaf(Floats a, Floats b, Floats c) {
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_fmadd_ps((__m512)a.of, (__m512)b.of, (__m512)c.of);
#elif defined(WITH_AVX2)
    return (FloatRegister)_mm256_fmadd_ps((__m256)a.of, (__m256)b.of, (__m256)c.of);
#else
    return a * b + c;
#endif
}

__forceinline__ Floats fminf(Floats a, Floats b) { return a.of < b.of ? a.of : b.of; }
__forceinline__ Floats fmaxf(Floats a, Floats b) { return a.of > b.of ? a.of : b.of; }
__forceinline__ Floats fabsf(Floats x) { return of_bits(bits_of(x) & 0x7fffffffu); }

/// x, negated where the uppermost bit of the word is 1.
__forceinline__ Floats with_sign_of(Words word, Floats x) {
#if defined(WITH_AVX512)
    constexpr int exclusive_or_of_and = 0x78;  // x ^ (word & sign)
    const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000u));
    return (FloatRegister)_mm512_ternarylogic_epi32((__m512i)x.of, (__m512i)word, sign, exclusive_or_of_and);
#else
    return of_bits(bits_of(x) ^ (word & 0x80000000u));
#endif
}

/// Square root, rounded correctly. The divider makes it while other units work.
__forceinline__ Floats sqrtf(Floats x) {
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_maskz_sqrt_ps(every_lane, (__m512)x.of);
#elif defined(WITH_AVX2)
    return (FloatRegister)_mm256_sqrt_ps((__m256)x.of);
#elif defined(__SSE2__)
    return (FloatRegister)_mm_sqrt_ps((__m128)x.of);
#else
    float roots[width];
    __builtin_memcpy(roots, &x, sizeof x);
    for (float& root : roots) root = __builtin_sqrtf(root);
    __builtin_memcpy(&x, roots, sizeof x);
    return x;
#endif
}

/// c[0] + c[1] x + ... + c[n - 1] x^(n - 1).
template <unsigned n>
__forceinline__ Floats polynomial(const float (&c)[n], Floats x) {
    Floats sum = c[n - 1];
#pragma GCC unroll 16
    for (unsigned i = n - 1; i > 0; i--) sum = fmaf(sum, x, c[i - 1]);
    return sum;
}

/// x as m 2^exponent, where m is in [3/4, 3/2).
struct Split {
    Floats m, exponent;
};

/// That of |x|, which is above 2^-126.
__forceinline__ Split split_magnitude(Floats x) {
#if defined(WITH_AVX512)
    const Floats thirds = x * (4 / 3.0f);  // 3/2 becomes 2, where an exponent begins
    return {(FloatRegister)_mm512_maskz_getmant_ps(every_lane, (__m512)x.of, _MM_MANT_NORM_p75_1p5,
                                                   _MM_MANT_SIGN_zero),
            (FloatRegister)_mm512_maskz_getexp_ps(every_lane, (__m512)thirds.of)};
#else
    constexpr unsigned three_quarters = 0x3f400000;
    const Words above = (bits_of(x) & 0x7fffffffu) - three_quarters;
    return {of_bits((above & 0x7fffffu) + three_quarters), signed_floats((Words)((Integers)above >> 23))};
#endif
}

/// -log2 |x| for |x| above 2^-126. Its error is below 1e-7 of its value or of 1, whichever is larger.
///
/// With |x| = m 2^e it is -e + f P(f), f = m - 1, where P is a minimax fit for the weight sqrt(|f|): the root of the logarithm
/// is what is needed, and its error is 6e-8.
__forceinline__ Floats minus_log2_of_magnitude(Floats x) {
    constexpr float p[] = {-1.4426954984664917f,  0.7213519215583801f,  -0.4808306396007538f,  0.3602770268917084f,
                           -0.29030388593673706f, 0.25142616033554077f, -0.20386910438537598f, 0.09473060071468353f};
    const Split split = split_magnitude(x);
    const Floats f = split.m - 1.0f;
    return fmaf(f, polynomial(p, f), -split.exponent);
}

/// As rng::log2_of_31_bits and rng::half_angle.
__forceinline__ Floats minus_log2_of_31_bits(Words word) {
    return minus_log2_of_magnitude(fmaf(signed_floats(word), 0x1p-31f, 0x1p-32f));
}
__forceinline__ Floats half_angle(Words word) { return signed_floats(word) * 0x1p-31f; }

/// 2^x for |x| < 126, within 2e-7 of its value: 2^n times a minimax polynomial of x - n, where n is the integer next to x.
__forceinline__ Floats exp2f(Floats x) {
    constexpr float p[] = {1.0000001192092896f,  0.6931469440460205f,   0.24022120237350464f,
                           0.05550713092088699f, 0.009675540961325169f, 0.0013276472454890609f};
    constexpr float to_integer = 12582912.0f;  // 2^23 + 2^22: the sum's lowest bits are an integer
    const Floats shifted = x + to_integer, n = shifted - to_integer;
    const Floats power = polynomial(p, x - n);
#if defined(WITH_AVX512)
    return (FloatRegister)_mm512_maskz_scalef_ps(every_lane, (__m512)power.of, (__m512)n.of);
#else
    return of_bits(bits_of(power) + (bits_of(shifted) << 23));
#endif
}

/// Words of the generators that share a register, each as rng::MrgDraws draws them.
class MrgDraws {
 public:
    /// Those of lanes `first` to first + width - 1.
    __forceinline__ MrgDraws(const LaneStates& states, unsigned first) {
        for (unsigned i = 0; i < lag; i++) __builtin_memcpy(&words_[i], &states.word[i][first], sizeof(Words));
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
