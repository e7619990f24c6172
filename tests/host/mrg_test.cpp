// The periods of the multiple recursive generators, by polynomial arithmetic.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

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

const std::vector<std::uint64_t> primes_of_31 = {2147483647}, primes_of_11 = {23, 89};

// f = z^r - z^(r - s) - a.
TEST(Period, OfMrg31And13IsMaximal) { EXPECT_TRUE(has_maximal_period(tail_of(31, {{18, 1}, {0, a}}), primes_of_31)); }

TEST(Period, OfTheLowerHalvesOfFoldedMrg11And2IsMaximal) {
    EXPECT_TRUE(has_maximal_period(tail_of(11, {{9, 1}, {0, a}}), primes_of_11));
}

TEST(Period, OfXorMrgIsThatOfAPrimitivePolynomialAtLeast) {
    EXPECT_TRUE(is_primitive(tail_of(31, {{25, 1}, {18, 1}, {7, 1}, {0, 1}}), primes_of_31));
}

TEST(Period, OfOthersIsNot) {
    EXPECT_FALSE(is_primitive(tail_of(31, {{1, 1}, {0, 1}}), primes_of_31)) << "z^31 + z + 1 has factors";
    EXPECT_FALSE(is_primitive(tail_of(11, {{0, 1}}), primes_of_11)) << "z^11 = 1";
    const Polynomial minus_z_minus_one = tail_of(2, {{1, ~0u}, {0, ~0u}});
    EXPECT_TRUE(is_primitive(minus_z_minus_one, {3}));
    EXPECT_FALSE(has_maximal_period(minus_z_minus_one, {3})) << "z^3 = 1, whatever the modulus";
}

}  // namespace
