// The exact hit probabilities, recomputed: every pair of consecutive draws of the generators with 32 bits of state, and
// every pair of coordinates that two independent words can make. Generators and coordinates are written anew here.
#include "kernels/device/expectations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "kernels/pi/versions.hpp"

namespace {

// fmaf is a call on a baseline x86-64, one instruction with FMA.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define FUNCTION_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define FUNCTION_CLONES
#endif

using Word = std::uint32_t;

constexpr std::uint64_t all_words = std::uint64_t{1} << 32;

inline bool inside(float x, float y) { return std::fmaf(x, x, y * y) <= 1.0f; }
inline float scaled(Word word) { return static_cast<float>(word) * 0x1p-32f; }
inline float mantissa(Word word) { return static_cast<float>(word >> 9) * 0x1p-23f; }
inline Word after_lcg(Word s) { return s * 1664525 + 1013904223; }
inline Word after_xorshift(Word s) {
    s ^= s << 13;
    s ^= s >> 17;
    return s ^ s << 5;
}

constexpr Word block_words = 1 << 16;

FUNCTION_CLONES unsigned xorshift_hits(Word first) {
    unsigned hits = 0;
    for (Word i = 0; i < block_words; i++) {
        hits += inside(scaled(first + i), scaled(after_xorshift(first + i))) ? 1 : 0;
    }
    return hits;
}

FUNCTION_CLONES unsigned xorshift_mantissa_hits(Word first) {
    unsigned hits = 0;
    for (Word i = 0; i < block_words; i++) {
        hits += inside(mantissa(first + i), mantissa(after_xorshift(first + i))) ? 1 : 0;
    }
    return hits;
}

FUNCTION_CLONES unsigned lcg_hits(Word first) {
    unsigned hits = 0;
    for (Word i = 0; i < block_words; i++) {
        hits += inside(scaled(first + i), scaled(after_lcg(first + i))) ? 1 : 0;
    }
    return hits;
}

FUNCTION_CLONES unsigned lcg_mantissa_hits(Word first) {
    unsigned hits = 0;
    for (Word i = 0; i < block_words; i++) {
        hits += inside(mantissa(first + i), mantissa(after_lcg(first + i))) ? 1 : 0;
    }
    return hits;
}

/// Hits of (s, next s) over all 2^32 words s, block by block. `next` is a bijection: each s is drawn equally often.
std::uint64_t hits_of_all_words(unsigned (*hits_of_block)(Word first)) {
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : hits)
    for (Word block = 0; block < all_words / block_words; block++) {
        hits += hits_of_block(block * block_words);
    }
    return hits;
}

// 0 is not in the cycle of xorshift32; its pair, (0, 0), is a hit.
TEST(Expectations, Xorshift32Cycle) {
    EXPECT_EQ(pi::xorshift32_cycle.count, hits_of_all_words(xorshift_hits) - 1);
    EXPECT_EQ(pi::xorshift32_cycle.total, 4294967295.0);
}

TEST(Expectations, Xorshift32MantissaCycle) {
    EXPECT_EQ(pi::xorshift32_mantissa_cycle.count, hits_of_all_words(xorshift_mantissa_hits) - 1);
    EXPECT_EQ(pi::xorshift32_mantissa_cycle.total, 4294967295.0);
}

TEST(Expectations, LcgCycle) {
    EXPECT_EQ(pi::lcg_cycle.count, hits_of_all_words(lcg_hits));
    EXPECT_EQ(pi::lcg_cycle.total, 4294967296.0);
}

TEST(Expectations, LcgMantissaCycle) {
    EXPECT_EQ(pi::lcg_mantissa_cycle.count, hits_of_all_words(lcg_mantissa_hits));
    EXPECT_EQ(pi::lcg_mantissa_cycle.total, 4294967296.0);
}

/// The words 0, step, 2 step, ..., `size` of them, as coordinates word / 2^32 + offset.
struct Axis {
    std::uint64_t size;
    std::uint64_t step;
    float offset;
};

inline float coordinate(const Axis& axis, std::uint64_t i) {
    return scaled(static_cast<Word>(i * axis.step)) + axis.offset;
}

/// Pairs that hit in the rows [first, last) of x. Coordinates, squares and sums are rounded monotonically: in a row the
/// hits are its first so many columns of y, and no row has more of them than the row before.
FUNCTION_CLONES std::uint64_t hits_of_rows(const Axis& axis, std::uint64_t first, std::uint64_t last) {
    std::uint64_t columns = 0;
    for (std::uint64_t end = axis.size; columns < end;) {
        const std::uint64_t middle = columns + (end - columns) / 2;
        if (inside(coordinate(axis, first), coordinate(axis, middle))) {
            columns = middle + 1;
        } else {
            end = middle;
        }
    }
    std::uint64_t hits = 0;
    for (std::uint64_t row = first; row < last; row++) {
        const float x = coordinate(axis, row);
        while (columns > 0 && !inside(x, coordinate(axis, columns - 1))) {
            columns--;
        }
        hits += columns;
    }
    return hits;
}

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

// Odd steps make words of which the conversion to float must round.
TEST(PairSweep, AgreesWithBruteForceOnSmallGrids) {
    for (const float offset : {0.0f, 0x1p-33f}) {
        for (const Axis axis : {Axis{8, all_words / 8, offset}, Axis{1024, all_words / 1024, offset},
                                Axis{1021, 4206627, offset}, Axis{5000, 858993, offset}, Axis{1000, 1, offset}}) {
            std::uint64_t hits = 0;
            for (std::uint64_t row = 0; row < axis.size; row++) {
                for (std::uint64_t column = 0; column < axis.size; column++) {
                    hits += inside(coordinate(axis, row), coordinate(axis, column)) ? 1 : 0;
                }
            }
            EXPECT_EQ(hits_of_pairs(axis), hits) << axis.size << " words, " << axis.step << " apart";
        }
    }
}

TEST(Expectations, UnitIntervalPairs) {
    EXPECT_EQ(pi::unit_interval_pairs.count, hits_of_pairs({all_words, 1, 0.0f}));
    EXPECT_EQ(pi::unit_interval_pairs.total, 18446744073709551616.0);
}

TEST(Expectations, CurandUniformPairs) {
    EXPECT_EQ(pi::curand_uniform_pairs.count, hits_of_pairs({all_words, 1, 0x1p-33f}));
    EXPECT_EQ(pi::curand_uniform_pairs.total, 18446744073709551616.0);
}

// Closer together than any test run could tell apart.
TEST(Expectations, VersionsAreJudgedByTheirOwn) {
    const std::map<std::string, bench::Expectation> own = {
        {"v1", pi::curand_uniform_pairs},
        {"v2", pi::curand_uniform_pairs},
        {"v3", pi::curand_uniform_pairs},
        {"v4", pi::curand_uniform_pairs},
        {"v5", pi::curand_uniform_pairs},
        {"v6", pi::curand_uniform_pairs},
        {"v7", pi::xorshift32_cycle},
        {"v8", pi::lcg_cycle},
        {"v9", pi::lcg_cycle},
        {"v10", pi::unit_interval_pairs},
        {"v11", pi::lcg_mantissa_cycle},
        {"v12", pi::curand_uniform_pairs},
    };
    std::size_t found = 0;
    for (const bench::Version* version : versions()) {
        if (const auto entry = own.find(version->name); entry != own.end()) {
            EXPECT_EQ(version->source->expected.count, entry->second.count) << version->name;
            EXPECT_EQ(version->source->expected.total, entry->second.total) << version->name;
            found++;
        }
    }
    EXPECT_EQ(found, own.size());
}

}  // namespace
