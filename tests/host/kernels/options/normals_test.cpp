// Words become normals: Box-Muller on XU and by polynomials, and the inverse of the distribution function.
#include "kernels/options/normals/shared/normals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "bench/estimands/means/means_of.hpp"
#include "bench/options/own_options.hpp"
#include "kernels/normals/versions.hpp"
#include "kernels/random/normals/box_muller.cuh"
#include "kernels/random/normals/inverse_cdf.cuh"
#include "tests/normals_reference.hpp"

namespace {

/// A transform on the CPU, where the functions of the XU are exact, and the reference.
struct Transform {
    const char* name;
    rng::NormalPair (*pair)(unsigned, unsigned);
    rng::ExactPair (*expected)(std::uint32_t, std::uint32_t);
    double largest;  // |z|
};

rng::NormalPair inverse_cdfs(unsigned first, unsigned second) {
    return {rng::inverse_cdf(first), rng::inverse_cdf(second)};
}

rng::ExactPair exact_inverse_cdfs(std::uint32_t first, std::uint32_t second) {
    return {rng::exact_inverse_cdf(first), rng::exact_inverse_cdf(second)};
}

rng::ExactPair sine_first(std::uint32_t radius_word, std::uint32_t angle_word) {
    const rng::ExactPair pair = rng::half_circle(radius_word, angle_word);
    return {pair.second, pair.first};
}

const double of_bits[] = {std::sqrt(2 * 33 * std::numbers::ln2), std::sqrt(2 * 32 * std::numbers::ln2)};

const Transform transforms[] = {
    {"XU", rng::normal_pair, rng::whole_circle_sine_first, of_bits[0]},
    {"polynomials", rng::polynomial_pair, sine_first, of_bits[1]},
    {"inverse CDF", inverse_cdfs, exact_inverse_cdfs, -rng::exact_inverse_cdf(0)},
};

void expect_close(const Transform& transform, std::uint32_t first, std::uint32_t second) {
    const auto z = transform.pair(first, second);
    const auto expected = transform.expected(first, second);
    EXPECT_NEAR(z.sine, expected.first, reference::tolerance(expected, expected.first))
        << transform.name << ", words " << first << " and " << second;
    EXPECT_NEAR(z.cosine, expected.second, reference::tolerance(expected, expected.second))
        << transform.name << ", words " << first << " and " << second;
}

TEST(Normals, AreThoseOfDoublePrecision) {
    for (const Transform& transform : transforms) {
        std::mt19937 words;
        for (int i = 0; i < 20'000; i++) {
            const auto first = static_cast<std::uint32_t>(words()), second = static_cast<std::uint32_t>(words());
            expect_close(transform, first, second);
            expect_close(transform, first >> (i % 32), second);  // small u
        }
    }
}

// The largest and smallest u, and those for which a midpoint rounds to 1.
TEST(Normals, OfWordsAtTheEdgesAreFinite) {
    const std::uint32_t edges[] = {0,          1,          2,          0x7fffff80, 0x7fffffff,
                                   0x80000000, 0x80000001, 0xffffff80, 0xfffffffe, 0xffffffff};
    for (const Transform& transform : transforms) {
        for (const std::uint32_t first : edges) {
            for (const std::uint32_t second : edges) {
                const auto z = transform.pair(first, second);
                for (const float value : {z.sine, z.cosine}) {
                    ASSERT_LE(std::fabs(value), transform.largest * (1 + 1e-6)) << transform.name << ", " << first;
                }
                expect_close(transform, first, second);
            }
        }
    }
}

// By Python's math in double precision.
TEST(Normals, OfKnownWords) {
    const auto a = rng::normal_pair(0x488f9a11, 0xc05e7057);
    EXPECT_NEAR(a.sine, -1.587858475, 1e-6);
    EXPECT_NEAR(a.cosine, 0.014377197, 1e-6);
    const auto b = rng::normal_pair(0x717e7a39, 0x8e54b9fb);
    EXPECT_NEAR(b.sine, -0.439437773, 1e-6);
    EXPECT_NEAR(b.cosine, -1.197392360, 1e-6);
}

// Quantiles of the normal distribution, from tables.
TEST(Normals, OfTheInverseAreQuantiles) {
    const auto word = [](double p) { return static_cast<std::uint32_t>(p * 0x1p32); };
    EXPECT_NEAR(rng::inverse_cdf(word(0.975)), 1.959963985, 4e-6);
    EXPECT_NEAR(rng::inverse_cdf(word(0.001)), -3.090232306, 4e-6);
    EXPECT_NEAR(rng::inverse_cdf(word(1 - 1e-6)), 4.753424309, 5e-5);  // words are 3e-5 apart
    EXPECT_NEAR(rng::inverse_cdf(1u << 31), 0, 2e-6);
}

TEST(Normals, OfTheInverseGrowWithTheWord) {
    float before = -std::numeric_limits<float>::infinity();
    for (std::uint64_t word = 0; word <= 0xffffffff; word += 99'991) {
        const float z = rng::inverse_cdf(static_cast<unsigned>(word));
        EXPECT_GE(z, before) << word;
        before = z;
    }
}

TEST(Polynomials, HaveTheErrorsThatTheyState) {
    const double scale = std::sqrt(2 * std::numbers::ln2);
    double of_sine = 0, of_cosine = 0;
    for (std::uint64_t word = 0; word <= 0xffffffff; word += 9973) {
        const auto angle = std::numbers::pi * static_cast<std::int32_t>(word) * 0x1p-32;
        const auto d = rng::scaled_half_direction(1, static_cast<unsigned>(word));
        of_sine = std::max(of_sine, std::fabs(d.sine - scale * std::sin(angle)));
        of_cosine = std::max(of_cosine, std::fabs(d.cosine - scale * std::cos(angle)));
    }
    constexpr double roundings = 2.5e-7;
    EXPECT_LT(of_sine, 6.94e-7 + roundings);
    EXPECT_LT(of_cosine, 5.5e-8 + roundings);
}

// A grid of 512 x 512 pairs of words: radius and angle from midpoints, the uppermost bit of the radius with both values.
TEST(Normals, FillTheWholeCircleEvenly) {
    constexpr unsigned n = 512, step = 0x100000000 / n;
    for (const Transform& transform : transforms) {
        double first = 0, second = 0, product = 0, cubes = 0, squares[2] = {};
        for (unsigned i = 0; i < n; i++) {
            for (unsigned j = 0; j < n; j++) {
                const auto z = transform.pair(i * step + step / 2, j * step + step / 2);
                first += z.sine;
                second += z.cosine;
                product += double{z.sine} * z.cosine;
                cubes += std::pow(z.sine, 2) * z.cosine + z.sine * std::pow(z.cosine, 2);
                squares[0] += double{z.sine} * z.sine;
                squares[1] += double{z.cosine} * z.cosine;
            }
        }
        constexpr double pairs = double{n} * n;
        for (const double zero : {first, second, product, cubes}) EXPECT_NEAR(zero / pairs, 0, 1e-5) << transform.name;
        for (const double one : squares) EXPECT_NEAR(one / pairs, 1, 0.01) << transform.name;
        EXPECT_NEAR(squares[0] / squares[1], 1, 1e-5) << transform.name;
    }
}

const bench::Step& step_called(const std::string& name) {
    for (const auto& all : {normals::versions(), normals::ablations()}) {
        for (const bench::Step* step : all) {
            if (name == step->name) return *step;
        }
    }
    throw std::logic_error("no step " + name);
}

TEST(Normals, StepsAreAsSoundAsTheirWords) {
    for (const auto& normals : reference::all_normals()) {
        const auto& what = bench::means_of(*step_called(normals.step).estimand);
        const auto expected = normals.dependent ? bench::Soundness::demonstration : normals.source.soundness;
        EXPECT_EQ(what.soundness, expected) << normals.step;
        EXPECT_STREQ(what.generator, normals.source.generator) << normals.step;
    }
}

TEST(Normals, EveryStepCanStoreThem) {
    for (const bench::Step* step : normals::versions()) {
        const auto others = bench::others_of(*step);
        ASSERT_EQ(others.size(), 1u) << step->name;
        const bench::Step& stored = *others[0];
        EXPECT_EQ(stored.name, std::string(step->name) + "_store");
        EXPECT_STREQ(stored.after, step->name);
        EXPECT_GE(stored.scratch_bytes({1, 32}, 1), normals::ring_bytes) << step->name;
    }
}

}  // namespace
