// What the bit-sliced CPU does with vector registers.
#pragma once

#include "kernels/cpu/vector.hpp"
#include "kernels/pi/shared/hit.cuh"

namespace pi::bit_sliced::CLONE {

using namespace vectors::CLONE;

/// A register as an operand of OctantNetwork, which finds lop3 here.
struct Vector {
    Words words;
};

__forceinline__ Vector operator+(Vector a, Vector b) { return {a.words + b.words}; }
__forceinline__ Vector operator&(Vector a, Vector b) { return {a.words & b.words}; }

/// Any function of two inputs: each result bit is bit 2b + c of `table`, for the input bits b, c.
template <unsigned table>
__forceinline__ Words lop2(Words b, Words c) {
    if constexpr (table == 0x0) return Words{};
    if constexpr (table == 0x1) return ~(b | c);
    if constexpr (table == 0x2) return ~b & c;
    if constexpr (table == 0x3) return ~b;
    if constexpr (table == 0x4) return b & ~c;
    if constexpr (table == 0x5) return ~c;
    if constexpr (table == 0x6) return b ^ c;
    if constexpr (table == 0x7) return ~(b & c);
    if constexpr (table == 0x8) return b & c;
    if constexpr (table == 0x9) return ~(b ^ c);
    if constexpr (table == 0xa) return c;
    if constexpr (table == 0xb) return ~b | c;
    if constexpr (table == 0xc) return b;
    if constexpr (table == 0xd) return b | ~c;
    if constexpr (table == 0xe) return b | c;
    return ~Words{};
}

/// A function of three inputs, made of two functions of b and c: for bits of `a` that are 0, and for those that are 1.
template <unsigned if_0, unsigned if_1>
__forceinline__ Words choice(Words a, Words b, Words c) {
    if constexpr (if_0 == if_1) return lop2<if_0>(b, c);
    if constexpr (if_0 == 0x0) return a & lop2<if_1>(b, c);
    if constexpr (if_1 == 0x0) return ~a & lop2<if_0>(b, c);
    if constexpr (if_0 == 0xf) return ~a | lop2<if_1>(b, c);
    if constexpr (if_1 == 0xf) return a | lop2<if_0>(b, c);
    return lop2<if_0>(b, c) ^ (a & lop2<if_0 ^ if_1>(b, c));
}

/// Whether `choice` needs no XOR.
constexpr bool is_simple(unsigned if_0, unsigned if_1) {
    return if_0 == if_1 || if_0 == 0x0 || if_1 == 0x0 || if_0 == 0xf || if_1 == 0xf;
}

/// Four bits of `table`, those at the given places.
constexpr unsigned rows(unsigned table, unsigned p0, unsigned p1, unsigned p2, unsigned p3) {
    return (table >> p0 & 1) | (table >> p1 & 1) << 1 | (table >> p2 & 1) << 2 | (table >> p3 & 1) << 3;
}

/// lop3 of kernels/pi/shared/lop3.cuh on every word.
template <unsigned table>
__forceinline__ Vector lop3(Vector a, Vector b, Vector c) {
#ifdef WITH_AVX512
    return {(Words)_mm512_ternarylogic_epi32((__m512i)a.words, (__m512i)b.words, (__m512i)c.words, table)};
#else
    constexpr unsigned a_0 = rows(table, 0, 1, 2, 3), a_1 = rows(table, 4, 5, 6, 7);
    constexpr unsigned b_0 = rows(table, 0, 1, 4, 5), b_1 = rows(table, 2, 3, 6, 7);
    constexpr unsigned c_0 = rows(table, 0, 2, 4, 6), c_1 = rows(table, 1, 3, 5, 7);
    if constexpr (is_simple(a_0, a_1)) return {choice<a_0, a_1>(a.words, b.words, c.words)};
    if constexpr (is_simple(b_0, b_1)) return {choice<b_0, b_1>(b.words, a.words, c.words)};
    if constexpr (is_simple(c_0, c_1)) return {choice<c_0, c_1>(c.words, a.words, b.words)};
    return {choice<a_0, a_1>(a.words, b.words, c.words)};
#endif
}

/// The first `n` bits of each word; all of them above 31.
__forceinline__ Vector first_bits(Words n) { return {(Words)(n > 31) | ((all_of(1) << (n & 31)) - 1)}; }

/// Whether a bit is set.
__forceinline__ bool any(Words words) {
    unsigned all = 0;
    for (unsigned i = 0; i < vector_words; i++) all |= words[i];
    return all != 0;
}

/// The numbers of bits that are set in each byte; with VPOPCNTDQ, in each word.
__forceinline__ Words popcounts(Words words) {
#ifdef WITH_AVX512_COUNTS
    return (Words)_mm512_popcnt_epi32((__m512i)words);
#elif defined(WITH_AVX2)
    const __m256i nibbles = _mm256_set1_epi8(0xf);
    const __m256i of_nibble = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3,
                                               1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_shuffle_epi8(of_nibble, (__m256i)words & nibbles);
    const __m256i high = _mm256_shuffle_epi8(of_nibble, _mm256_srli_epi16((__m256i)words, 4) & nibbles);
    return (Words)_mm256_add_epi8(low, high);
#else
    const Words pairs = words - (words >> 1 & 0x55555555);
    const Words fours = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333);
    return (fours + (fours >> 4)) & 0x0f0f0f0f;
#endif
}

/// How many bits are set in each word of the vectors that were added.
class BitCounts {
 public:
    static constexpr unsigned most = 31;  // vectors to add before settle(): bytes count them

    __forceinline__ void add(Vector v) { counts_ += popcounts(v.words); }
    __forceinline__ void settle() {
#ifndef WITH_AVX512_COUNTS
        const Words halves = (counts_ & 0x00ff00ff) + (counts_ >> 8 & 0x00ff00ff);
        settled_ += (halves & 0xffff) + (halves >> 16);
        counts_ = Words{};
#endif
    }
    /// Of those that are settled.
    __forceinline__ Words total() const {
#ifdef WITH_AVX512_COUNTS
        return counts_;
#else
        return settled_;
#endif
    }

 private:
    Words counts_ = {};
#ifndef WITH_AVX512_COUNTS
    Words settled_ = {};
#endif
};

/// Byte `i` of a word.
constexpr unsigned byte(unsigned word, unsigned i) { return word >> 8 * i & 0xff; }

/// A word for the products of unsigned halves of a word with two bytes of `factors`: byte `i` and, in the upper half, byte
/// i + 2.
constexpr unsigned spread(unsigned factors, unsigned i) { return byte(factors, i) | byte(factors, i + 2) << 16; }

/// `sum` plus the dot product of the bytes of each word with those of `factors`.
template <unsigned factors>
__forceinline__ Vector dot_of_bytes(Vector v, Vector sum) {
#if defined(WITH_AVX512_COUNTS)
    // The instruction multiplies unsigned bytes by signed ones. So each factor is the sum of two below 128.
    constexpr unsigned half = factors >> 1 & 0x7f7f7f7f, rest = factors - half;
    static_assert((rest & 0x80808080) == 0);
    const __m512i first = _mm512_dpbusd_epi32((__m512i)sum.words, (__m512i)v.words, (__m512i)all_of(half));
    return {(Words)_mm512_dpbusd_epi32(first, (__m512i)v.words, (__m512i)all_of(rest))};
#elif defined(WITH_AVX2)
    const Words even = v.words & 0x00ff00ff;
    const __m256i of_even = _mm256_madd_epi16((__m256i)even, (__m256i)all_of(spread(factors, 0)));
    const __m256i of_odd =
        _mm256_madd_epi16(_mm256_srli_epi16((__m256i)v.words, 8), (__m256i)all_of(spread(factors, 1)));
    return {sum.words + ((Words)of_even + (Words)of_odd)};
#elif defined(WITH_SSE2)
    const Words even = v.words & 0x00ff00ff;
    const __m128i of_even = _mm_madd_epi16((__m128i)even, (__m128i)all_of(spread(factors, 0)));
    const __m128i of_odd = _mm_madd_epi16(_mm_srli_epi16((__m128i)v.words, 8), (__m128i)all_of(spread(factors, 1)));
    return {sum.words + ((Words)of_even + (Words)of_odd)};
#else
    Words total = sum.words;
    for (unsigned i = 0; i < 4; i++) total += (v.words >> 8 * i & 0xff) * byte(factors, i);
    return {total};
#endif
}

typedef float Floats __attribute__((vector_size(vector_bytes)));

__forceinline__ Floats floats(Words words) { return __builtin_convertvector(words, Floats); }

/// fmaf(a, b, c) for each lane.
__forceinline__ Floats multiply_add(Floats a, Floats b, Floats c) {
#if defined(WITH_AVX512)
    return (Floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(WITH_AVX2)
    return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    float sums[vector_words];
    for (unsigned i = 0; i < vector_words; i++) sums[i] = fmaf(a[i], b[i], c[i]);
    Floats all;
    __builtin_memcpy(&all, sums, sizeof all);
    return all;
#endif
}

/// folded_hit of kernels/pi/shared/hit.cuh for each word.
__forceinline__ Vector folded_hits(Vector x, Vector y) {
    const Floats fx = floats(x.words), fy = floats(y.words), radius_squared = Floats{} + 18446744073709551616.0f;
    return {(Words)multiply_add(fx, fx, multiply_add(fy, fy, -radius_squared)) >> 31};
}

}  // namespace pi::bit_sliced::CLONE
