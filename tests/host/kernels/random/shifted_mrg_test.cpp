// What ShiftedMrg promises: which draws are independent, and that the low halves of those that its recurrence ties are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "kernels/random/mrg.cuh"
#include "tests/host/kernels/random/mixed_words.hpp"

namespace {

constexpr std::uint32_t a = multiplier;
constexpr std::size_t r = 20, s = 3;

std::uint32_t even_shift(std::uint32_t x) { return x / 2048; }
std::uint32_t odd_shift(std::uint32_t x) { return x / 65536; }

Words draws_from(const Words& state, std::size_t n) {
    rng::ShiftedMrg<r, s> draw([&](unsigned i) { return state[i]; });
    Words draws(n);
    std::generate(draws.begin(), draws.end(), draw);
    return draws;
}

/// The state, ending in the word `last`, whose next draws are `draws`.
Words state_before(std::uint32_t last, const Words& draws) {
    return ::state_before(r, s, last, draws, [](std::size_t i, std::uint32_t before) {
        return i % 2 == 0 ? even_shift(before) : odd_shift(before);
    });
}

// For each last word of a state its other 19 words and the next 19 draws determine each other. So over all states any 19
// successive draws are independent and uniform.
TEST(ShiftedMrg, DrawsAny19WordsFromOneStateForEachLastWord) {
    expect_any_draws_from_one_state(r, state_before, draws_from);
}

// With u = x[n - 21], v = x[n - 4] and x[n - 1] = a u + v, D[n] = a D[n - 20] + D[n - 3] + e. Over all states u, v, D[n - 20] and
// D[n - 3] are independent. So the three draws are as independent modulo a power of two as e is uniform.

using Shift = std::uint32_t (*)(std::uint32_t);

/// How many values e takes modulo 2^16 while the upper half of v takes all.
std::size_t values_of_tie(Shift shift, Shift other, std::uint32_t u, std::uint32_t v) {
    std::vector<bool> found(1 << 16);
    for (std::uint32_t upper = 0; upper < 1 << 16; upper++) {
        const std::uint32_t of_all = v % 65536 + upper * 65536;
        found[(shift(a * u + of_all) - a * shift(u) - other(of_all)) % 65536] = true;
    }
    return static_cast<std::size_t>(std::count(found.begin(), found.end(), true));
}

TEST(ShiftedMrg, TiesNoLow16BitsOfDraws) {
    std::mt19937 random(2);
    for (unsigned i = 0; i < 100; i++) {
        const auto u = static_cast<std::uint32_t>(random()), v = static_cast<std::uint32_t>(random());
        ASSERT_EQ(values_of_tie(even_shift, odd_shift, u, v), 65536u);
        ASSERT_EQ(values_of_tie(odd_shift, even_shift, u, v), 65536u);
    }
}

TEST(ShiftedMrg, WouldTieThemWithoutTurns) {
    EXPECT_EQ(values_of_tie(odd_shift, odd_shift, 1, 2), 1u);
    EXPECT_LT(values_of_tie(even_shift, even_shift, 1, 2), 65536u);
}

// For higher bits a bound. The mean parity of bit b is the sum over all odd k modulo 2^(b + 1) = M of c(k)^2 c(a k) E(k), where c are the
// coefficients of a square wave, |c(k)| = 2 / (M |sin(pi k / M)|), and E(k) is the mean of exp(2 pi i k e / M). For small k, which
// have nearly all of the weight, E(k) is estimated from random u and v. For all others it is at most 1.
struct Bound {
    double of_small = 0, of_others = 0;
};

Bound bound_of_parity(unsigned b, Shift shift, Shift other, const std::vector<std::uint32_t>& words) {
    constexpr std::uint64_t small = 128;
    const double pi = std::acos(-1.0), size = std::ldexp(1.0, static_cast<int>(b) + 1);
    const auto modulus = std::uint64_t{2} << b;
    const auto c = [&](std::uint64_t k) {
        return 2 / (size * std::abs(std::sin(pi * static_cast<double>(k % modulus) / size)));
    };
    std::vector<double> e;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::uint32_t u = words[i], v = words[i + 1];
        e.push_back(std::fmod(shift(a * u + v) - a * shift(u) - other(v), size));
    }
    Bound bound;
    for (std::uint64_t k = 1; k < modulus / 2; k += 2) {  // k and -k
        const double weight = 2 * c(k) * c(k) * c(a * k);
        if (k > small) {
            bound.of_others += weight;
            continue;
        }
        std::complex<double> sum = 0;
        for (const double one : e)
            sum += std::polar(1.0, 2 * pi * std::fmod(static_cast<double>(k) * one, size) / size);
        const auto n = static_cast<double>(e.size());
        bound.of_small += weight * (std::abs(sum) / n + 5 / std::sqrt(n));
    }
    return bound;
}

// 5 10^14 words of either turn show a bias of 2.2e-7 (5 sd).
TEST(ShiftedMrg, HasNoThreePointParityThatShowsInBits20To24) {
    std::mt19937 random(3);
    std::vector<std::uint32_t> words(1 << 15);
    std::generate(words.begin(), words.end(), std::ref(random));
    for (unsigned b = 20; b <= 24; b++) {
        for (const auto& [shift, other] : {std::pair<Shift, Shift>(even_shift, odd_shift), {odd_shift, even_shift}}) {
            const Bound bound = bound_of_parity(b, shift, other, words);
            EXPECT_LT(bound.of_small + bound.of_others, b < 22 ? 1.2e-7 : 4e-8) << "bit " << b;
        }
    }
}

}  // namespace
