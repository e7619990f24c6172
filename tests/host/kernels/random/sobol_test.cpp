// The points of v17 are Sobol's: the published words, cuRAND's, and as even as they must be.
#include "kernels/random/sobol.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "kernels/pi/shared/hit.cuh"
#include "kernels/random/sobol_dimensions.cuh"
#include "tests/host/kernels/random/curand_draws.hpp"
#ifdef WITH_LIBCURAND
#include <curand.h>
#endif

namespace {

using rng::sobol_point;
using rng::SobolPoint;
using Words = std::vector<std::uint32_t>;
using Directions = std::array<std::uint32_t, 32>;

/// Joe and Kuo's direction numbers of dimension 1.
Directions directions_of_x() {
    Directions v = {};
    for (unsigned k = 0; k < v.size(); k++) {
        v[k] = 1u << (31 - k);
    }
    return v;
}

/// Those of dimension 2: primitive polynomial z + 1, m[1] = 1.
Directions directions_of_y() {
    Directions v = {1u << 31};
    for (unsigned k = 1; k < v.size(); k++) {
        v[k] = v[k - 1] ^ v[k - 1] >> 1;
    }
    return v;
}

/// Words x and y of points first to first + n - 1.
std::pair<Words, Words> words_of(std::uint32_t first, std::uint32_t n) {
    Words x, y;
    for (std::uint32_t i = 0; i < n; i++) {
        x.push_back(sobol_point(first + i).x);
        y.push_back(sobol_point(first + i).y);
    }
    return {x, y};
}

Words words_of_curand(const Directions& directions, std::uint32_t first, std::uint32_t n) {
    Words words(n);
    curand_draws::sobol32(directions.data(), first, words.data(), n);
    return words;
}

// As Joe and Kuo's own program prints them, and scipy.stats.qmc.Sobol.
TEST(SobolPoint, BeginsAsPublished) {
    const double x[] = {0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125, 0.1875, 0.6875};
    const double y[] = {0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625, 0.3125, 0.8125};
    for (unsigned n = 0; n < std::size(x); n++) {
        EXPECT_EQ(sobol_point(n).x * 0x1p-32, x[n]) << n;
        EXPECT_EQ(sobol_point(n).y * 0x1p-32, y[n]) << n;
    }
}

TEST(SobolPoint, IsThatOfCurand) {
    constexpr std::uint32_t n = 1000;
    for (const std::uint32_t first :
         {0u, 31u, 12'345u, (1u << 16) - 500, 1'000'000'007u, (1u << 31) - 500, 0xfffffff0u - n, 0xffffffffu - n + 1}) {
        const auto [x, y] = words_of(first, n);
        EXPECT_EQ(x, words_of_curand(directions_of_x(), first, n)) << "from " << first;
        EXPECT_EQ(y, words_of_curand(directions_of_y(), first, n)) << "from " << first;
    }
}

TEST(SobolPoint, HasTheDirectionNumbersOfCurandsTable) {
#ifdef WITH_LIBCURAND
    curandDirectionVectors32_t* table = nullptr;
    ASSERT_EQ(curandGetDirectionVectors32(&table, CURAND_DIRECTION_VECTORS_32_JOEKUO6), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(std::to_array(table[0]), directions_of_x());
    EXPECT_EQ(std::to_array(table[1]), directions_of_y());
#else
    GTEST_SKIP() << "no libcurand";
#endif
}

TEST(SobolDirections, OfEightDimensionsAreThoseOfCurandsTable) {
#ifdef WITH_LIBCURAND
    curandDirectionVectors32_t* table = nullptr;
    ASSERT_EQ(curandGetDirectionVectors32(&table, CURAND_DIRECTION_VECTORS_32_JOEKUO6), CURAND_STATUS_SUCCESS);
    constexpr auto directions = rng::joe_kuo_directions<8>();
    for (unsigned d = 0; d < 8; d++) {
        for (unsigned k = 0; k < 32; k++) EXPECT_EQ(directions.of_bit[k].word[d], table[d][k]) << d << ", " << k;
    }
#else
    GTEST_SKIP() << "no libcurand";
#endif
}

// As scipy.stats.qmc.Sobol(8, scramble=False, bits=32) gives them.
TEST(SobolDirections, GiveThePublishedPoints) {
    const std::pair<unsigned, std::array<unsigned, 8>> known[] = {
        {0, {}},
        {1, {1u << 31, 1u << 31, 1u << 31, 1u << 31, 1u << 31, 1u << 31, 1u << 31, 1u << 31}},
        {100, {0x6a000000, 0x42000000, 0xc6000000, 0xba000000, 0xe2000000, 0xbe000000, 0x06000000, 0x7a000000}},
        {1023, {0x00400000, 0xc0c00000, 0x9cc00000, 0x25400000, 0x2fc00000, 0x70400000, 0x23c00000, 0x9e400000}}};
    constexpr auto directions = rng::joe_kuo_directions<8>();
    for (const auto& [n, words] : known) {
        EXPECT_EQ(std::to_array(rng::sobol_point_of(directions, n).word), words) << n;
    }
}

TEST(SobolPoint, OfAGroupIsTheFirstOneAndAConstant) {
    for (const unsigned first : {0u, 32u, 96u, 0x12345660u, 0xffffffe0u}) {
        for (unsigned j = 0; j < rng::sobol_group; j++) {
            const SobolPoint point = sobol_point(first) ^ sobol_point(j);
            EXPECT_EQ(point.x, sobol_point(first + j).x) << first << " + " << j;
            EXPECT_EQ(point.y, sobol_point(first + j).y) << first << " + " << j;
        }
    }
}

/// Fewest and most of 2^m points in a cell of the grid of 2^columns by 2^(m - columns).
std::pair<unsigned, unsigned> extremes(unsigned m, unsigned columns, SobolPoint shift) {
    std::vector<unsigned> points(std::size_t{1} << m);
    const unsigned rows = m - columns;
    for (unsigned n = 0; n < points.size(); n++) {
        const SobolPoint p = sobol_point(n) ^ shift;
        const std::uint64_t column = std::uint64_t{p.x} << columns >> 32, row = std::uint64_t{p.y} << rows >> 32;
        points[column << rows | row]++;
    }
    const auto [least, most] = std::minmax_element(points.begin(), points.end());
    return {*least, *most};
}

// What the error rests on: every elementary interval, of any shape, has its share of points, whatever the shift.
TEST(Scrambling, IsANet) {
    const std::pair one_each(1u, 1u);
    for (const SobolPoint shift : {SobolPoint{0, 0}, rng::sobol_shift(1234, 0), rng::sobol_shift(1234, 1)}) {
        for (const unsigned m : {1u, 2u, 5u, 10u, 16u}) {
            for (unsigned columns = 0; columns <= m; columns++) {
                EXPECT_EQ(extremes(m, columns, shift), one_each)
                    << "2^" << columns << " columns of 2^" << m << " points, shift " << shift.x << ", " << shift.y;
            }
        }
    }
}

TEST(Scrambling, DependsOnSeedAndLaunchAndIsAnotherInEachDimension) {
    const SobolPoint shift = rng::sobol_shift(1234, 5);
    for (const SobolPoint other :
         {rng::sobol_shift(1235, 5), rng::sobol_shift(1234, 6), rng::sobol_shift(1234, 5 + (std::uint64_t{1} << 32)),
          SobolPoint{shift.y, shift.x}}) {
        EXPECT_NE(other.x, shift.x);
        EXPECT_NE(other.y, shift.y);
    }
}

/// Pairs of launches, of so many, in which every block counts alike, relative to 1 / (points x blocks).
double alike(unsigned points, unsigned blocks, unsigned launches) {
    std::map<std::vector<unsigned>, unsigned> seen;
    double pairs = 0;
    for (unsigned launch = 0; launch < launches; launch++) {
        const SobolPoint shift = rng::sobol_shift(1234, launch);
        std::vector<unsigned> counts(blocks);
        for (unsigned n = 0; n < points; n++) {
            const SobolPoint point = sobol_point(n) ^ shift;
            counts[n / (points / blocks)] += pi::folded_hit(point.x, point.y) ? 1 : 0;
        }
        pairs += seen[counts]++;
    }
    return pairs / (launches * (launches - 1.0) / 2) * points * blocks;
}

// What the verdict on repeated launches builds on. The chance falls as 1 / (N x blocks), so of a few thousand launches of few
// points some are alike.
TEST(Scrambling, SeldomCountsAlike) {
    EXPECT_LT(alike(1 << 8, 16, 6'000), 4);
    EXPECT_LT(alike(1 << 10, 16, 6'000), 4);
    EXPECT_LT(alike(1 << 10, 64, 6'000), 4);
    EXPECT_LT(alike(3 << 8, 16, 6'000), 4) << "no power of two";
    EXPECT_GT(alike(1 << 10, 16, 6'000), 2) << "the bound is no empty one";
}

// Some shapes have whole groups, some none, some a rest.
TEST(SobolStretch, ALaunchHasEveryPointOnce) {
    using Pair = std::pair<unsigned, unsigned>;
    for (const auto& [threads, iters] : {Pair(1, 1), Pair(64, 31), Pair(96, 33), Pair(7, 64), Pair(33, 1001)}) {
        std::vector<unsigned> times(threads * iters);
        for (unsigned thread = 0; thread < threads; thread++) {
            for (const rng::SobolStretch stretch :
                 {rng::sobol_groups_of(thread, iters), rng::sobol_rest_of(thread, threads, iters)}) {
                for (unsigned i = 0; i < stretch.points; i++) {
                    times.at(stretch.first + i)++;
                }
            }
        }
        EXPECT_EQ(times, std::vector<unsigned>(times.size(), 1)) << threads << " threads of " << iters;
    }
}

TEST(SobolStretch, TheWholeSetEndsAtItsLastPoint) {
    const rng::SobolStretch last = rng::sobol_groups_of(262'143, 16'384);
    EXPECT_EQ(last.first + (last.points - 1), 0xffffffffu);
    const rng::SobolStretch rest = rng::sobol_rest_of(0xffffffff, rng::sobol_points, 1);
    EXPECT_EQ(rest.first, 0xffffffffu);
    EXPECT_EQ(rest.points, 1u);
}

}  // namespace
