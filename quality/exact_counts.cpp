#include "quality/exact_counts.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/arrays/shared/expectations.hpp"
#include "kernels/cpu/clones.hpp"
#include "kernels/pi/shared/expectations.hpp"
#include "quality/specimens.hpp"

namespace quality {

namespace {

using Word = std::uint32_t;

constexpr std::uint64_t all_words = std::uint64_t{1} << 32;
constexpr Word block_words = 1 << 16;

inline bool is_inside(float x, float y) { return std::fmaf(x, x, y * y) <= 1.0f; }

inline bool is_inside_folded(Word x, Word y) {
    const float fx = static_cast<float>(x), fy = static_cast<float>(y);
    return std::fmaf(fx, fx, std::fmaf(fy, fy, -0x1p64f)) < 0;
}

inline float scaled(Word word) { return static_cast<float>(word) * 0x1p-32f; }
inline float mantissa(Word word) { return static_cast<float>(word >> 9) * 0x1p-23f; }
inline float centred_mantissa(Word word) { return static_cast<float>((word >> 9) * 2 + 1) * 0x1p-24f; }

inline Word after_lcg(Word s) { return s * 1664525 + 1013904223; }
inline Word after_xorshift(Word s) {
    s ^= s << 13;
    s ^= s >> 17;
    return s ^ s << 5;
}

// One function for each rule: the compiler vectorises a clone only if it can inline everything in it. On baseline x86-64 fmaf is
// a function call; with FMA it is one instruction.
#define HITS_OF_BLOCK(name, hit_of_s)                        \
    FUNCTION_CLONES unsigned name(Word first) {              \
        unsigned hits = 0;                                   \
        for (Word s = first; s - first < block_words; s++) { \
            hits += (hit_of_s) ? 1 : 0;                      \
        }                                                    \
        return hits;                                         \
    }
HITS_OF_BLOCK(lcg_hits, is_inside(scaled(s), scaled(after_lcg(s))))
HITS_OF_BLOCK(lcg_mantissa_hits, is_inside(mantissa(s), mantissa(after_lcg(s))))
HITS_OF_BLOCK(lcg_centred_mantissa_hits, is_inside(centred_mantissa(s), centred_mantissa(after_lcg(s))))
HITS_OF_BLOCK(lcg_folded_hits, is_inside_folded(s, after_lcg(s)))
HITS_OF_BLOCK(xorshift_hits, is_inside(scaled(s), scaled(after_xorshift(s))))
HITS_OF_BLOCK(xorshift_mantissa_hits, is_inside(mantissa(s), mantissa(after_xorshift(s))))
#undef HITS_OF_BLOCK

/// Hits of (s, next s) over all 2^32 words s, block by block. `next` is a bijection, so each s is drawn equally often.
std::uint64_t hits_of_all_words(unsigned (*hits_of_block)(Word first)) {
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : hits)
    for (Word block = 0; block < all_words / block_words; block++) {
        hits += hits_of_block(block * block_words);
    }
    return hits;
}

/// The same over the cycle of xorshift32. It lacks 0, whose pair (0, 0) is a hit.
std::uint64_t hits_of_all_but_zero(unsigned (*hits_of_block)(Word first)) {
    return hits_of_all_words(hits_of_block) - 1;
}

/// Hits in the rows [first, last) of x. Coordinates, squares and sums are rounded monotonically. So the hits of a row are
/// its first n columns of y, and n never grows from row to row. What a row counts for is of_row(row, n).
template <typename IsHit, typename OfRow>
inline std::uint64_t hits_of_rows(std::uint64_t size, std::uint64_t first, std::uint64_t last, IsHit is_hit,
                                  OfRow of_row) {
    std::uint64_t columns = 0;
    for (std::uint64_t end = size; columns < end;) {
        const std::uint64_t middle = columns + (end - columns) / 2;
        if (is_hit(first, middle)) {
            columns = middle + 1;
        } else {
            end = middle;
        }
    }
    std::uint64_t hits = 0;
    for (std::uint64_t row = first; row < last; row++) {
        while (columns > 0 && !is_hit(row, columns - 1)) {
            columns--;
        }
        hits += of_row(row, columns);
    }
    return hits;
}

constexpr auto all_columns = [](std::uint64_t, std::uint64_t columns) { return columns; };

FUNCTION_CLONES std::uint64_t scaled_hits_of_rows(const Axis& axis, std::uint64_t first, std::uint64_t last) {
    const auto at = [&](std::uint64_t i) {
        return scaled(static_cast<Word>(axis.first + i * axis.step)) + axis.offset;
    };
    return hits_of_rows(
        axis.size, first, last, [&](std::uint64_t x, std::uint64_t y) { return is_inside(at(x), at(y)); }, all_columns);
}

constexpr auto is_folded_hit = [](std::uint64_t x, std::uint64_t y) {
    return is_inside_folded(static_cast<Word>(x), static_cast<Word>(y));
};

FUNCTION_CLONES std::uint64_t folded_hits_of_rows(std::uint64_t first, std::uint64_t last) {
    return hits_of_rows(all_words, first, last, is_folded_hit, all_columns);
}

/// v25 to v27: the columns left of a row's cell of 2^22 x 2^22 on the diagonal count twice, those in it once, others not at all.
FUNCTION_CLONES std::uint64_t folded_octant_hits_of_rows(std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t side = 1 << 22;
    return hits_of_rows(all_words, first, last, is_folded_hit, [](std::uint64_t row, std::uint64_t columns) {
        const std::uint64_t cell = row / side * side;
        return columns <= cell ? 2 * columns : cell + std::min(columns, cell + side);
    });
}

/// Sum of `hits_of_rows(first, last)` over all rows, on all cores.
template <typename HitsOfRows>
std::uint64_t hits_of_all_rows(std::uint64_t rows, HitsOfRows hits_of_rows) {
    constexpr std::uint64_t chunks = 4096;
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : hits)
    for (std::uint64_t chunk = 0; chunk < chunks; chunk++) {
        const std::uint64_t first = rows * chunk / chunks, last = rows * (chunk + 1) / chunks;
        if (first < last) {
            hits += hits_of_rows(first, last);
        }
    }
    return hits;
}

/// `value`, in squared cells, rounded like v16's halves: to 11 bits, ties to even, with a last bit of at least 1/64.
double rounded(double value) {
    double last_place = 1.0 / 64;
    while (std::abs(value) >= 2048 * last_place) {
        last_place *= 2;
    }
    const double shift = 0x1.8p52 * last_place;  // a double of this size has the last bit `last_place`
    return value + shift - shift;
}

/// v16's hit test for the cell in column k and row l, with the offset ((2 jx + 1) / 2048, (2 jy + 1) / 2048).
bool is_half_cell_hit(int k, int l, int jx, int jy) {
    const int x = 2 * jx + 1, y = 2 * jy + 1;
    const double limit = std::floor((x * x + y * y) * 0x1p-16) / 64;
    return rounded(rounded(k * k + l * l - 1024 + k * x * 0x1p-10) + l * y * 0x1p-10) < -limit;
}

/// Cells that hit with an offset. Sums and roundings are monotonic in k and l. So the hits of a row are its first n
/// columns, and n never grows from row to row.
unsigned half_cell_hits(int jx, int jy) {
    unsigned hits = 0;
    for (int l = 0, columns = 32; l < 32; l++) {
        while (columns > 0 && !is_half_cell_hit(columns - 1, l, jx, jy)) {
            columns--;
        }
        hits += static_cast<unsigned>(columns);
    }
    return hits;
}

std::uint64_t hits_of_half_cells() {
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : hits)
    for (int jx = 0; jx < 1024; jx++) {
        for (int jy = 0; jy < 1024; jy++) {
            hits += half_cell_hits(jx, jy);
        }
    }
    return hits;
}

/// v16t: pairs of odd numbers up to 2047 inside the circle of radius 2048.
std::uint64_t hits_of_odd_pairs() {
    std::uint64_t hits = 0;
    for (int x = 1; x < 2048; x += 2) {
        for (int y = 1; y < 2048; y += 2) {
            hits += x * x + y * y < 2048 * 2048 ? 1 : 0;
        }
    }
    return hits;
}

}  // namespace

bool inside(float x, float y) { return is_inside(x, y); }

float coordinate(const Axis& axis, std::uint64_t i) {
    return scaled(static_cast<Word>(axis.first + i * axis.step)) + axis.offset;
}

std::uint64_t hits_of_pairs(const Axis& axis) {
    return hits_of_all_rows(
        axis.size, [&](std::uint64_t first, std::uint64_t last) { return scaled_hits_of_rows(axis, first, last); });
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
        {"mrg32k3a_pairs", arrays::mrg32k3a_pairs,
         [] {
             return hits_of_pairs({4'294'967'087, 1, 0x1p-33f, 1});
         }},
        {"mantissa_pairs", pi::mantissa_pairs,
         [] {
             return hits_of_pairs({1 << 23, 1 << 9, 0.0f});
         }},
        {"pairs_of_8_bits", specimens::trinomial_63_1.expected,
         [] {
             return hits_of_pairs({1 << 8, 1 << 24, 0.0f});
         }},
        {"folded_pairs", pi::folded_pairs, [] { return hits_of_all_rows(all_words, folded_hits_of_rows); }},
        {"folded_octant_pairs", pi::folded_octant_pairs,
         [] { return hits_of_all_rows(all_words, folded_octant_hits_of_rows); }},
        {"offset_cells", pi::offset_cells, hits_of_half_cells},
        {"odd_pairs", pi::odd_pairs, hits_of_odd_pairs},
        {"lcg_folded_cycle", pi::lcg_folded_cycle, [] { return hits_of_all_words(lcg_folded_hits); }},
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
