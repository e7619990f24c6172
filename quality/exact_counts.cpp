#include "quality/exact_counts.hpp"

#include <cmath>

#include "kernels/device/expectations.hpp"
#include "quality/specimens.hpp"

namespace quality {

// fmaf is a call on a baseline x86-64, one instruction with FMA.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FUNCTION_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define FUNCTION_CLONES
#endif

namespace {

using Word = std::uint32_t;

constexpr std::uint64_t all_words = std::uint64_t{1} << 32;
constexpr Word block_words = 1 << 16;

inline bool is_inside(float x, float y) { return std::fmaf(x, x, y * y) <= 1.0f; }

inline float scaled(Word word) { return static_cast<float>(word) * 0x1p-32f; }
inline float mantissa(Word word) { return static_cast<float>(word >> 9) * 0x1p-23f; }
inline float centred_mantissa(Word word) { return static_cast<float>((word >> 9) * 2 + 1) * 0x1p-24f; }

inline Word after_lcg(Word s) { return s * 1664525 + 1013904223; }
inline Word after_xorshift(Word s) {
    s ^= s << 13;
    s ^= s >> 17;
    return s ^ s << 5;
}

// A function each: a clone vectorises only what it can inline.
#define HITS_OF_BLOCK(name, coordinate, after)                              \
    FUNCTION_CLONES unsigned name(Word first) {                             \
        unsigned hits = 0;                                                  \
        for (Word s = first; s - first < block_words; s++) {                \
            hits += is_inside(coordinate(s), coordinate(after(s))) ? 1 : 0; \
        }                                                                   \
        return hits;                                                        \
    }
HITS_OF_BLOCK(lcg_hits, scaled, after_lcg)
HITS_OF_BLOCK(lcg_mantissa_hits, mantissa, after_lcg)
HITS_OF_BLOCK(lcg_centred_mantissa_hits, centred_mantissa, after_lcg)
HITS_OF_BLOCK(xorshift_hits, scaled, after_xorshift)
HITS_OF_BLOCK(xorshift_mantissa_hits, mantissa, after_xorshift)
#undef HITS_OF_BLOCK

/// Hits of (s, next s) over all 2^32 words s, block by block. `next` is a bijection: each s is drawn equally often.
std::uint64_t hits_of_all_words(unsigned (*hits_of_block)(Word first)) {
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : hits)
    for (Word block = 0; block < all_words / block_words; block++) {
        hits += hits_of_block(block * block_words);
    }
    return hits;
}

/// The same over the cycle of xorshift32, which lacks 0: its pair, (0, 0), is a hit.
std::uint64_t hits_of_all_but_zero(unsigned (*hits_of_block)(Word first)) {
    return hits_of_all_words(hits_of_block) - 1;
}

/// Pairs that hit in the rows [first, last) of x. Coordinates, squares and sums are rounded monotonically: in a row the
/// hits are its first so many columns of y, and no row has more of them than the row before.
FUNCTION_CLONES std::uint64_t hits_of_rows(const Axis& axis, std::uint64_t first, std::uint64_t last) {
    const auto at = [&](std::uint64_t i) { return scaled(static_cast<Word>(i * axis.step)) + axis.offset; };
    std::uint64_t columns = 0;
    for (std::uint64_t end = axis.size; columns < end;) {
        const std::uint64_t middle = columns + (end - columns) / 2;
        if (is_inside(at(first), at(middle))) {
            columns = middle + 1;
        } else {
            end = middle;
        }
    }
    std::uint64_t hits = 0;
    for (std::uint64_t row = first; row < last; row++) {
        const float x = at(row);
        while (columns > 0 && !is_inside(x, at(columns - 1))) {
            columns--;
        }
        hits += columns;
    }
    return hits;
}

}  // namespace

bool inside(float x, float y) { return is_inside(x, y); }

float coordinate(const Axis& axis, std::uint64_t i) { return scaled(static_cast<Word>(i * axis.step)) + axis.offset; }

std::uint64_t hits_of_pairs(const Axis& axis) {
    constexpr std::uint64_t chunks = 4096;
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : hits)
    for (std::uint64_t chunk = 0; chunk < chunks; chunk++) {
        const std::uint64_t first = axis.size * chunk / chunks, last = axis.size * (chunk + 1) / chunks;
        if (first < last) {
            hits += hits_of_rows(axis, first, last);
        }
    }
    return hits;
}

const std::vector<ExactCount>& exact_counts() {
    static const std::vector<ExactCount> all = {
        {"curand_uniform_pairs", pi::curand_uniform_pairs,
         [] {
             return hits_of_pairs({all_words, 1, 0x1p-33f});
         }},
        {"unit_interval_pairs", pi::unit_interval_pairs,
         [] {
             return hits_of_pairs({all_words, 1, 0.0f});
         }},
        {"mantissa_pairs", pi::mantissa_pairs,
         [] {
             return hits_of_pairs({1 << 23, 1 << 9, 0.0f});
         }},
        {"pairs_of_8_bits", specimens::trinomial_63_1.expected,
         [] {
             return hits_of_pairs({1 << 8, 1 << 24, 0.0f});
         }},
        {"lcg_cycle", pi::lcg_cycle, [] { return hits_of_all_words(lcg_hits); }},
        {"lcg_mantissa_cycle", pi::lcg_mantissa_cycle, [] { return hits_of_all_words(lcg_mantissa_hits); }},
        {"lcg_centred_mantissa_cycle", pi::lcg_centred_mantissa_cycle,
         [] { return hits_of_all_words(lcg_centred_mantissa_hits); }},
        {"xorshift32_cycle", pi::xorshift32_cycle, [] { return hits_of_all_but_zero(xorshift_hits); }},
        {"xorshift32_mantissa_cycle", pi::xorshift32_mantissa_cycle,
         [] { return hits_of_all_but_zero(xorshift_mantissa_hits); }},
    };
    return all;
}

}  // namespace quality
