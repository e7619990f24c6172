// What AlternatingMrg and ThreeDotsMrg promise: which draws are independent, and that the low bits of those that its recurrence ties are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>

#include "kernels/random/mrg.cuh"
#include "tests/host/kernels/random/mixed_words.hpp"

namespace {

constexpr std::uint32_t a = multiplier;
constexpr std::size_t r = 20, s = 3;

std::uint32_t g(std::uint32_t x) { return byte_product(x); }

std::uint32_t h(std::uint32_t x) { return x / 65536; }

Words draws_from(const Words& state, std::size_t n) {
    rng::AlternatingMrg<r, s, 0xd9c9a5a1> draw([&](unsigned i) { return state[i]; });
    Words draws(n);
    std::generate(draws.begin(), draws.end(), draw);
    return draws;
}

/// The state, ending in the word `last`, whose next draws are `draws`.
Words state_before(std::uint32_t last, const Words& draws) {
    return ::state_before(r, s, last, draws,
                          [](std::size_t i, std::uint32_t before) { return i % 2 == 0 ? g(before) : h(before); });
}

// For each last word of a state its other 19 words and the next 19 draws determine each other. So over all states any 19
// successive draws are independent and uniform.
TEST(AlternatingMrg, DrawsAny19WordsFromOneStateForEachLastWord) {
    expect_any_draws_from_one_state(r, state_before, draws_from);
}

TEST(ThreeDotsMrg, DrawsAny19WordsFromOneStateForEachLastWord) {
    const auto before = [](std::uint32_t last, const Words& draws) {
        return ::state_before(r, s, last, draws,
                              [](std::size_t i, std::uint32_t x) { return i % 4 != 3 ? g(x) : h(x); });
    };
    expect_any_draws_from_one_state(r, before, [](const Words& state, std::size_t n) {
        rng::ThreeDotsMrg<r, s, 0xd9c9a5a1> draw([&](unsigned i) { return state[i]; });
        Words draws(n);
        std::generate(draws.begin(), draws.end(), draw);
        return draws;
    });
}

// With u = x[n - 21], v = x[n - 4] and w = x[n - 1] = a u + v, D[n] = a D[n - 20] + D[n - 3] + e. Over all states u, v,
// D[n - 20] and D[n - 3] are independent. So the three draws are as independent modulo a power of two as e is uniform.

using Mix = std::uint32_t (*)(std::uint32_t);

std::uint32_t tie(Mix mix, Mix other, std::uint32_t u, std::uint32_t v) {
    return mix(a * u + v) - a * mix(u) - other(v);
}

/// How many values e takes modulo 256 while the upper byte of v takes all.
std::size_t values_of_tie(Mix mix, Mix other, std::uint32_t u, std::uint32_t v) {
    std::set<std::uint32_t> values;
    for (std::uint32_t upper = 0; upper < 256; upper++) {
        values.insert(tie(mix, other, u, v % 16777216 + upper * 16777216) % 256);
    }
    return values.size();
}

// For given u and lower bytes of v each value of e modulo 256 occurs once. So the low 8 bits of the draws are independent.
TEST(AlternatingMrg, TiesNoLow8BitsOfDraws) {
    std::mt19937 random(2);
    for (unsigned i = 0; i < 10'000; i++) {
        const auto u = static_cast<std::uint32_t>(random()), v = static_cast<std::uint32_t>(random());
        ASSERT_EQ(values_of_tie(g, h, u, v), 256u);
        ASSERT_EQ(values_of_tie(h, g, u, v), 256u);
    }
}

TEST(AlternatingMrg, WouldTieThemWithoutTurns) {
    EXPECT_EQ(values_of_tie(h, h, 1, 2), 1u);
    EXPECT_LT(values_of_tie(g, g, 0x12345678, 0x9abcdef0), 256u);
}

// For higher bits a bound. The mean parity of bit b is the sum over all odd k modulo 2^(b + 1) = M of c(k)^2 c(a k) E(k),
// where c are the coefficients of a square wave, |c(k)| = 2 / (M |sin(pi k / M)|), and E(k) is the mean of exp(2 pi i k e / M).
// For given u it is a sum over the bytes of w or v, with their carries. The sum over a part of the 256 values of byte i is at
// most 1 / |sin(pi k q_i / M)|, where q_i is what a byte adds to e: 0xa1, 0xa5, 0xc9 - 1, and 0xd9 - 256 for the upper one, as the
// shift takes the upper two bytes. All 256 values of the upper byte count, and at most two parts of each other byte.
double bound_of_parity(unsigned b) {
    const double pi = std::acos(-1.0), size = std::ldexp(1.0, static_cast<int>(b) + 1);
    const auto sine = [&](double k) { return std::abs(std::sin(pi * std::fmod(k, size) / size)); };
    double sum = 0;
    for (double k = 1; k < size; k += 2) {
        double mean = std::abs(sine(256 * 39 * k) / (256 * sine(39 * k)));
        for (const double q : {0xa1, 0xa5, 0xc9 - 1}) {
            mean *= std::min(1.0, 2 / (256 * sine(q * k)));
        }
        sum += std::pow(2 / (size * sine(k)), 2) * 2 / (size * sine(std::fmod(a, size) * k)) * mean;
    }
    return sum;
}

// 7e19 words would show a bias of 6e-10 (5 sd).
TEST(AlternatingMrg, HasNoThreePointParityThatShowsInBits8To10) {
    for (unsigned b = 8; b <= 10; b++) {
        EXPECT_LT(bound_of_parity(b), 6e-10) << "bit " << b;
    }
}

}  // namespace
