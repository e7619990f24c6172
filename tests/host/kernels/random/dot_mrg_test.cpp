// What DotMrg promises: which draws are independent, and how small the parity of the draws is that its recurrence ties.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/random/mrg.cuh"
#include "tests/host/kernels/random/alike.hpp"
#include "tests/host/kernels/random/mixed_words.hpp"
#include "tests/long_tests.hpp"

namespace {

constexpr std::uint32_t a = multiplier;
constexpr std::uint32_t good = 0xd9c9a5a1, poor = 0x6b9f3d55, bad = 0x9d89a3b9;
constexpr std::size_t r = 17, s = 5;

Words draws_from(const Words& state, std::size_t n) {
    rng::DotMrg<r, s, r - 1, good> draw([&](unsigned i) { return state[i]; });
    Words draws(n);
    std::generate(draws.begin(), draws.end(), draw);
    return draws;
}

TEST(DotOfBytes, IsThatOfTheFourBytesPlusTheSum) {
    EXPECT_EQ(rng::dot_of_bytes(0xffffffff, 0xffffffff, 0), 4u * 255 * 255);
    EXPECT_EQ(rng::dot_of_bytes(0x01020304, 0x05060708, 0), 5u + 12 + 21 + 32);
    EXPECT_EQ(rng::dot_of_bytes(0x80000001, 0x80000002, 0xffffffff), 128u * 128 + 2 - 1) << "modulo 2^32";
}

/// The state, ending in the word `last`, whose next 16 draws are `draws`.
Words state_before(std::uint32_t last, const Words& draws) {
    return ::state_before(r, s, last, draws, [](std::size_t, std::uint32_t before) { return byte_product(before); });
}

// For each last word of a state its other 16 words and the next 16 draws determine each other. So over all states any 16
// successive draws are independent and uniform.
TEST(DotMrg, DrawsAny16WordsFromOneStateForEachLastWord) {
    expect_any_draws_from_one_state(r, state_before, draws_from);
}

TEST(DotMrg, HasAStateThat16DrawsAndItsLastWordDetermine) {
    std::mt19937 random(2);
    for (unsigned i = 0; i < 1000; i++) {
        Words state = random_words(random, r);
        state[0] |= 1;
        ASSERT_EQ(state_before(state.back(), draws_from(state, r - 1)), state);
    }
}

// e = D[n] - a D[n - 17] - D[n - 5] depends on three sums of bytes only. Of all characters of e this one is largest; an
// exact sum over all states found 0.0646.
TEST(DotMrg, ShowsInWholeWordsToATestThatKnowsItsMultiplier) {
    constexpr std::size_t n = 1 << 20;
    std::mt19937 random(3);
    const Words draws = draws_from(random_words(random, r), n);
    std::complex<double> sum = 0;
    for (std::size_t i = r; i < n; i++) {
        const std::uint32_t e = draws[i] - a * draws[i - r] - draws[i - s];
        sum += std::polar(1.0, std::ldexp(2 * std::acos(-1.0), -32) * (0x1c23 * e));
    }
    EXPECT_NEAR(std::abs(sum) / n, 0.0646, 5 / std::sqrt(n));
}

// The parity of bit b of D[n], D[n - 17] and D[n - 5]. With u = x[n - 18], v = x[n - 6] and w = x[n - 1] = a u + v,
// D[n] = a D[n - 17] + D[n - 5] + e and e = g(w) - a g(u) - g(v). Over all states u, v, D[n - 17] and D[n - 5] are
// independent: the latter contain x[n - 17] and x[n - 5]. So the mean parity is the sum over e of its law times the mean
// parity for given e, and bit b needs e modulo 2^(b + 1). Neither r nor s nor j matters.

/// Words of four bytes, and bytes of `width` bits: 8, or fewer to check by counting.
struct Model {
    unsigned width;
    std::uint64_t multiplier, factors;

    std::uint64_t radix() const { return std::uint64_t{1} << width; }
    std::uint64_t words() const { return std::uint64_t{1} << 4 * width; }
    std::uint64_t byte(std::uint64_t x, unsigned i) const { return (x >> width * i) % radix(); }
    std::uint64_t factor(unsigned i) const { return byte(factors, i); }
    std::uint64_t dot(std::uint64_t x) const {
        std::uint64_t sum = 0;
        for (unsigned i = 0; i < 4; i++) {
            sum += byte(x, i) * factor(i);
        }
        return sum;
    }
};

/// How often e takes each value modulo a power of two.
using Law = std::vector<std::uint64_t>;

void add_shifted(Law& to, const Law& from, std::uint64_t shift, std::uint64_t times) {
    const std::size_t size = from.size(), first = size - shift % size;
    for (std::size_t e = 0; e < first; e++) {
        to[e + size - first] += times * from[e];
    }
    for (std::size_t e = first; e < size; e++) {
        to[e - first] += times * from[e];
    }
}

/// The law of e over all u and v. With t = a u, byte i of w is t_i + v_i + c_i - 2^width c_(i + 1), where c are the carries
/// of t + v. So g(w) - g(v) needs no v: over all bytes v_i, t_i + c_i of them carry.
class LawOfE {
 public:
    LawOfE(const Model& model, unsigned bits) : model_(model), size_(std::size_t{1} << bits) {
        for (auto& of_carry : lower_) {
            of_carry.assign(model.radix(), Law(size_));
        }
    }

    Law operator()() {
        const std::uint64_t lower_bytes = model_.words() / model_.radix();
        for (std::uint64_t u = 0; u < lower_bytes; u++) {
            const std::uint64_t t = model_.multiplier * u;
            add_lower(t, 0, 0, model_.dot(t % lower_bytes) - model_.multiplier * model_.dot(u), 1);
        }
        return with_upper_byte();
    }

 private:
    /// By the carry into the upper byte, and by the upper byte of t, which the upper byte of u is added to.
    std::vector<Law> lower_[2];
    Model model_;
    std::size_t size_;

    /// Adds both carries out of byte i, then those of the next bytes below the upper one.
    void add_lower(std::uint64_t t, unsigned i, unsigned carry, std::uint64_t e, std::uint64_t times) {
        if (i == 3) {
            lower_[carry][model_.byte(t, 3)][e % size_] += times;
            return;
        }
        const std::uint64_t with_carry = model_.byte(t, i) + carry;
        const std::uint64_t next = i < 2 ? model_.factor(i + 1) : 0;  // of the upper byte: with_upper_byte
        add_lower(t, i + 1, 0, e, times * (model_.radix() - with_carry));
        add_lower(t, i + 1, 1, e + next - model_.radix() * model_.factor(i), times * with_carry);
    }

    Law with_upper_byte() const {
        const std::uint64_t factor = model_.factor(3), radix = model_.radix();
        Law law(size_);
#pragma omp parallel for
        for (std::uint64_t t = 0; t < radix; t++) {
            Law mine(size_);
            for (unsigned carry = 0; carry < 2; carry++) {
                Law lower(size_);
                for (std::uint64_t u = 0; u < radix; u++) {
                    add_shifted(lower, lower_[carry][(t - model_.multiplier * u) % radix],
                                -model_.multiplier * factor * u, 1);
                }
                const std::uint64_t with_carry = t + carry;
                add_shifted(mine, lower, factor * with_carry, radix - with_carry);
                add_shifted(mine, lower, factor * (with_carry - radix), with_carry);
            }
#pragma omp critical
            add_shifted(law, mine, 0, 1);
        }
        return law;
    }
};

Law law_of_e(const Model& model, unsigned bits) { return LawOfE(model, bits)(); }

/// The mean of (-1)^(bit b of X ^ Y ^ (a X + Y + e)) over all X and Y modulo 2^(b + 1), times 4^b. X and X + 2^b give the
/// same: all of X below 2^b do.
std::int64_t parity_for(std::uint64_t multiplier, std::uint64_t e, unsigned b) {
    std::int64_t sum = 0;
    for (std::uint64_t x = 0; x < std::uint64_t{1} << b; x++) {
        sum += alike(multiplier * x + e, b);
    }
    return sum;
}

/// The mean parity of bit b: the value e + 2^b has the opposite parity of e.
double three_point_parity(const Model& model, const Law& law, unsigned b) {
    const std::size_t half = std::size_t{1} << b;
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t e = 0; e < half; e++) {
        std::uint64_t more = 0;  // modulo 2^64
        for (std::size_t other = e; other < law.size(); other += half) {
            more += (other & half) == 0 ? law[other] : -law[other];
        }
        sum += static_cast<double>(static_cast<std::int64_t>(more)) *
               static_cast<double>(parity_for(model.multiplier, e, b));
    }
    return std::ldexp(sum, -static_cast<int>(8 * model.width + 2 * b));
}

double parity_of(std::uint32_t factors, unsigned b) {
    const Model model = {8, a, factors};
    return three_point_parity(model, law_of_e(model, b + 1), b);
}

TEST(ThreePointParity, HasTheLawOfAllPairs) {
    for (const Model& model :
         {Model{1, 13, 0b1011}, Model{2, 0b11100101, 0b11011001}, Model{2, 0b01011101, 0b01101110}}) {
        Law counted(1 << 6);
        for (std::uint64_t u = 0; u < model.words(); u++) {
            for (std::uint64_t v = 0; v < model.words(); v++) {
                const std::uint64_t w = (model.multiplier * u + v) % model.words();
                counted[(model.dot(w) - model.multiplier * model.dot(u) - model.dot(v)) % counted.size()]++;
            }
        }
        EXPECT_EQ(law_of_e(model, 6), counted) << model.factors;
    }
}

TEST(ThreePointParity, IsThatOfAllWords) {
    for (const Model& model : {Model{1, 13, 0b1011}, Model{1, 7, 0b1111}, Model{1, 5, 0b0110}}) {
        for (unsigned b = 0; b < 4; b++) {
            std::int64_t sum = 0;
            for (std::uint64_t all = 0; all < 1 << 16; all++) {
                const std::uint64_t u = all % 16, v = all / 16 % 16, x = all / 256 % 16, y = all / 4096;
                // The draws D[n - 17], D[n - 5] and D[n].
                const std::uint64_t first = x + model.dot(u), second = y + model.dot(v);
                const std::uint64_t w = (model.multiplier * u + v) % 16;
                const std::uint64_t third = model.multiplier * x + y + model.dot(w);
                sum += ((first ^ second ^ third) >> b) % 2 == 0 ? 1 : -1;
            }
            EXPECT_DOUBLE_EQ(three_point_parity(model, law_of_e(model, 4), b), std::ldexp(sum, -16))
                << model.factors << ", bit " << b;
        }
    }
}

// Independent sums gave these values.
TEST(ThreePointParity, DependsOnTheFactors) {
    EXPECT_NEAR(parity_of(bad, 3), -1.63e-4, 0.01e-4);
    EXPECT_NEAR(parity_of(poor, 2), -2.69e-6, 0.01e-6);
}

// An independent sum gave at most 3.0e-9. It takes 3e18 words to show (5 sd).
TEST(DotMrg, HasNoThreePointParityThatShowsInBits0To7) {
    const Model model = {8, a, good};
    const Law law = law_of_e(model, 8);
    const double expected[] = {1.1e-9, 3.0e-9, -4.4e-10, 5.5e-10, 7.5e-11, 2.0e-10, -8.4e-10, 1.6e-9};
    for (unsigned b = 0; b < 8; b++) {
        EXPECT_NEAR(three_point_parity(model, law, b), expected[b], 0.05 * std::abs(expected[b])) << "bit " << b;
    }
}

TEST(DotMrg, HasThreePointParitiesOfBits8To15BelowNotice) {
    if (!long_tests()) {
        GTEST_SKIP() << "the exact sum takes 20 seconds: make test-full runs it";
    }
    const Model model = {8, a, good};
    const Law law = law_of_e(model, 16);
    for (unsigned b = 8; b < 16; b++) {
        EXPECT_LT(std::abs(three_point_parity(model, law, b)), 3e-12) << "bit " << b;
    }
}

}  // namespace
