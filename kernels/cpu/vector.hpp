// Vector registers of the instruction set that a file is compiled for, as words of 32 bits side by side. Some files are
// compiled for several (add_clones in kernels/steps.cmake). So everything here is in a namespace of the instruction set, CLONE,
// or always inlined: otherwise the linker might take code of the wider set for the narrower one.
#pragma once

#include <cuda_runtime.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define WITH_AVX512
#elif defined(__AVX2__) && defined(__FMA__)
#define WITH_AVX2
#elif defined(__SSE2__)
#define WITH_SSE2
#endif
#if defined(WITH_AVX512) && defined(__AVX512VNNI__) && defined(__AVX512VPOPCNTDQ__)
#define WITH_AVX512_COUNTS
#endif

/// Forces a lambda to be inlined.
#define INLINED __attribute__((always_inline))

namespace vectors::CLONE {

#if defined(WITH_AVX512)
inline constexpr unsigned vector_bytes = 64;
#elif defined(WITH_AVX2)
inline constexpr unsigned vector_bytes = 32;
#else
inline constexpr unsigned vector_bytes = 16;
#endif

inline constexpr unsigned vector_words = vector_bytes / sizeof(unsigned);

/// A register, with the compilers' operators for each word.
typedef unsigned Words __attribute__((vector_size(vector_bytes)));

__forceinline__ Words load(const unsigned* from) {
    Words loaded;
    __builtin_memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

__forceinline__ void store(unsigned* to, Words words) { __builtin_memcpy(to, &words, sizeof words); }

__forceinline__ Words all_of(unsigned word) { return Words{} + word; }

/// table[i] for each word i. The loops write arrays and not the elements of a vector, which g++ 12 miscompiled at -O3.
__forceinline__ Words gather(const unsigned* table, Words index) {
#if defined(WITH_AVX512)
    const __m512i zeros = {};  // with a mask: GCC 12 warns that its plain gather reads what is not initialised
    return (Words)_mm512_mask_i32gather_epi32(zeros, 0xffff, (__m512i)index, table, sizeof *table);
#else
    unsigned found[vector_words];
    for (unsigned i = 0; i < vector_words; i++) found[i] = table[index[i]];
    return load(found);
#endif
}

/// The same for a table of 16 bits. What follows its last entry is read, too.
__forceinline__ Words gather(const unsigned short* table, Words index) {
#if defined(WITH_AVX512)
    const __m512i zeros = {};
    return (Words)_mm512_mask_i32gather_epi32(zeros, 0xffff, (__m512i)index, table, sizeof *table) & 0xffff;
#elif defined(WITH_AVX2)
    const auto* const words = reinterpret_cast<const int*>(table);
    return (Words)_mm256_i32gather_epi32(words, (__m256i)index, sizeof *table) & 0xffff;
#else
    unsigned found[vector_words];
    for (unsigned i = 0; i < vector_words; i++) found[i] = table[index[i]];
    return load(found);
#endif
}

/// Words in pairs of the first, in the lower half, and the second.
typedef unsigned long long Pairs __attribute__((vector_size(vector_bytes)));

/// The products of the lower halves with a word.
__forceinline__ Pairs products(Pairs pairs, unsigned word) {
#if defined(WITH_AVX512)
    return (Pairs)_mm512_maskz_mul_epu32(0xff, (__m512i)pairs, (__m512i)all_of(word));  // GCC 12 warns of the plain one
#elif defined(WITH_AVX2)
    return (Pairs)_mm256_mul_epu32((__m256i)pairs, (__m256i)all_of(word));
#elif defined(WITH_SSE2)
    return (Pairs)_mm_mul_epu32((__m128i)pairs, (__m128i)all_of(word));
#else
    return (pairs & 0xffffffff) * word;
#endif
}

}  // namespace vectors::CLONE
