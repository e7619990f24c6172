// The multiple recursive generators: periods by polynomial arithmetic, and what FoldedMrg does not promise.
#include "kernels/random/mrg.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/host/kernels/random/alike.hpp"
#include "tests/long_tests.hpp"

namespace {

constexpr std::uint32_t a = 2891336453;  // L'Ecuyer 1999, table 4

/// Coefficients of 1, z, z^2, ...
using Polynomial = std::vector<std::uint32_t>;

/// z^n modulo f and a power of two, where modulo f z^r is `tail`, of r coefficients.
Polynomial power_of_z(std::uint64_t n, const Polynomial& tail, std::uint32_t modulus) {
    const std::size_t r = tail.size();
    const auto times_z = [&](Polynomial p) {
        const std::uint32_t leading = p.back();
        p.insert(p.begin(), 0);
        p.pop_back();
        for (std::size_t i = 0; i < r; i++) {
            p[i] = (p[i] + leading * tail[i]) % modulus;
        }
        return p;
    };
    const auto product = [&](const Polynomial& p, const Polynomial& q) {  // Horner's scheme
        Polynomial sum(r);
        for (std::size_t i = r; i-- > 0;) {
            sum = times_z(sum);
            for (std::size_t j = 0; j < r; j++) {
                sum[j] = (sum[j] + q[i] * p[j]) % modulus;
            }
        }
        return sum;
    };
    Polynomial power(r), square(r);
    power[0] = square[1] = 1;
    for (; n > 0; n /= 2) {
        power = n % 2 == 1 ? product(power, square) : power;
        square = product(square, square);
    }
    return power;
}

Polynomial tail_of(std::size_t r, const std::vector<std::pair<std::size_t, std::uint32_t>>& terms) {
    Polynomial tail(r);
    for (const auto& [exponent, coefficient] : terms) {
        tail[exponent] = coefficient;
    }
    return tail;
}

bool is_one(const Polynomial& p) {
    Polynomial one(p.size());
    one[0] = 1;
    return p == one;
}

/// Whether z has the order 2^r - 1, whose prime factors are `primes`, modulo 2.
bool is_primitive(const Polynomial& tail, const std::vector<std::uint64_t>& primes) {
    const std::uint64_t order = (std::uint64_t{1} << tail.size()) - 1;
    bool primitive = is_one(power_of_z(order, tail, 2));
    for (const std::uint64_t prime : primes) {
        primitive &= !is_one(power_of_z(order / prime, tail, 2));
    }
    return primitive;
}

/// Whether x[n] = sum of tail[i] x[n - r + i] modulo 2^w, not all x even, has the period (2^r - 1) 2^(w - 1) for every w:
/// Brent, "On the periods of generalized Fibonacci recurrences", 1994.
bool has_maximal_period(const Polynomial& tail, const std::vector<std::uint64_t>& primes) {
    const std::uint64_t order = (std::uint64_t{1} << tail.size()) - 1;
    return is_primitive(tail, primes) && !is_one(power_of_z(order, tail, 4)) && !is_one(power_of_z(2 * order, tail, 8));
}

const std::vector<std::uint64_t> primes_of_31 = {2147483647}, primes_of_11 = {23, 89}, primes_of_17 = {131071};

// f = z^r - z^(r - s) - a.
TEST(Period, OfMrg31And13IsMaximal) { EXPECT_TRUE(has_maximal_period(tail_of(31, {{18, 1}, {0, a}}), primes_of_31)); }

TEST(Period, OfTheLowerHalvesOfFoldedMrg11And2IsMaximal) {
    EXPECT_TRUE(has_maximal_period(tail_of(11, {{9, 1}, {0, a}}), primes_of_11));
}

TEST(Period, OfTheStateOfDotMrg17And5IsMaximal) {
    EXPECT_TRUE(has_maximal_period(tail_of(17, {{12, 1}, {0, a}}), primes_of_17));
}

TEST(Period, OfTheStateOfAlternatingMrg20And3IsMaximal) {
    EXPECT_TRUE(has_maximal_period(tail_of(20, {{17, 1}, {0, a}}), {3, 5, 11, 31, 41}));
}

TEST(Period, OfXorMrgIsThatOfAPrimitivePolynomialAtLeast) {
    EXPECT_TRUE(is_primitive(tail_of(31, {{25, 1}, {18, 1}, {7, 1}, {0, 1}}), primes_of_31));
}

TEST(Period, OfOthersIsNot) {
    EXPECT_FALSE(is_primitive(tail_of(31, {{1, 1}, {0, 1}}), primes_of_31)) << "z^31 + z + 1 has factors";
    EXPECT_FALSE(is_primitive(tail_of(11, {{0, 1}}), primes_of_11)) << "z^11 = 1";
    EXPECT_FALSE(is_primitive(tail_of(17, {{13, 1}, {0, 1}}), primes_of_17)) << "z^17 + z^13 + 1 has factors";
    const Polynomial minus_z_minus_one = tail_of(2, {{1, ~0u}, {0, ~0u}});
    EXPECT_TRUE(is_primitive(minus_z_minus_one, {3}));
    EXPECT_FALSE(has_maximal_period(minus_z_minus_one, {3})) << "z^3 = 1, whatever the modulus";
}

using Words = std::vector<std::uint32_t>;

/// Draws of FoldedMrg<11, 2> from these 22 words.
Words draws_from(const Words& state) {
    rng::FoldedMrg<11, 2> draw([&](unsigned i) { return state[i]; });
    Words draws(100);
    for (std::uint32_t& word : draws) {
        word = draw();
    }
    return draws;
}

TEST(FoldedMrg, NeverUsesTheUpperHalvesThatTheFirstNineWordsStartWith) {
    Words state(22);
    for (std::uint32_t i = 0; i < state.size(); i++) {
        state[i] = 0x9e3779b9u * (i + 1);
    }
    const Words draws = draws_from(state);
    for (std::size_t word = 0; word < 11; word++) {
        Words other = state;
        other[2 * word] ^= 0x80000001u;
        EXPECT_EQ(draws_from(other) == draws, word <= 8) << "word " << word;
    }
}

// Draws two apart, of any word size: D' = D + lo(a L) + hi(a L) + c. L is uniform; D too, whatever L and the lower half l
// that it contains, since its upper half is free; c is the carry of lo(a L) + l, so it is 1 for lo(a L) of the 2^w values
// of l. alike(D' - D, b) compares their bits b.

/// The mean of (-1)^(bit b of D ^ bit b of D') over all states, for words of w bits: over L of (2^w - lo) alike(d, b) + lo
/// alike(d + 1, b). Sums of 2^16 terms are whole numbers that a double holds.
double lag_2_parity(std::uint64_t multiplier, unsigned w, unsigned b) {
    const std::uint64_t words = std::uint64_t{1} << w, part = std::min<std::uint64_t>(words, 1 << 16);
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::uint64_t first = 0; first < words; first += part) {
        std::int64_t without_carry = 0, of_carry = 0;
        for (std::uint64_t factor = first; factor < first + part; factor++) {
            const std::uint64_t product = multiplier * factor, low = product % words, d = low + product / words;
            const std::int64_t balance = alike(d, b);
            without_carry += balance;
            of_carry += static_cast<std::int64_t>(low) * (alike(d + 1, b) - balance);
        }
        sum += static_cast<double>(words) * static_cast<double>(without_carry) + static_cast<double>(of_carry);
    }
    return std::ldexp(sum, -static_cast<int>(2 * w + b));
}

/// The same by going through all states that it takes: D and D' of every L and every word between.
double counted_lag_2_parity(std::uint32_t multiplier, unsigned b) {
    std::int64_t sum = 0;
    for (std::uint32_t factor = 0; factor < 256; factor++) {
        for (std::uint32_t before = 0; before < 65536; before++) {
            const std::uint32_t after = multiplier * factor + before;
            const std::uint32_t one = before / 256 + before % 256, other = after / 256 % 256 + after % 256;
            sum += ((one ^ other) >> b) % 2 == 0 ? 1 : -1;
        }
    }
    return std::ldexp(static_cast<double>(sum), -24);
}

TEST(FoldedMrg, HasTheLag2ParityThatCountingFindsInBytes) {
    for (unsigned b = 0; b < 8; b++) {
        EXPECT_DOUBLE_EQ(lag_2_parity(a % 256, 8, b), counted_lag_2_parity(a % 256, b)) << "bit " << b;
    }
}

// An independent sum found 1.5e-10 to 2.4e-10. 2^32 factors a bit.
TEST(FoldedMrg, HasALag2ParityBelowNotice) {
    if (!long_tests()) {
        GTEST_SKIP() << "the exact sum takes a minute: make test-full runs it";
    }
    for (const unsigned b : {0u, 1u, 30u, 31u}) {
        const double parity = lag_2_parity(a, 32, b);
        EXPECT_GT(std::abs(parity), 1.45e-10) << "bit " << b;
        EXPECT_LT(std::abs(parity), 2.45e-10) << "bit " << b;
    }
}

}  // namespace
