// Linear complexity by Berlekamp and Massey against its definition: the shortest register that gives the bits.
#include "quality/linear_complexity.hpp"

#include <gtest/gtest.h>

#include <bitset>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace {

using quality::Bits;
using quality::linear_complexity;
using quality::p_of_linear_complexity;
using Sequence = std::vector<bool>;

Bits bits_of(const Sequence& sequence) {
    Bits bits;
    for (const bool bit : sequence) {
        bits.add(bit);
    }
    return bits;
}

unsigned complexity_of(const Sequence& sequence) { return linear_complexity(bits_of(sequence)); }

/// Whether taps c exist with s[n] = c[1] s[n-1] ^ ... ^ c[length] s[n-length] for all n from `length`: a system of
/// linear equations, by Gaussian elimination.
bool has_register(const Sequence& s, std::size_t length) {
    constexpr std::size_t most = 256;  // right-hand sides are in the last column
    std::vector<std::bitset<most + 1>> rows;
    for (std::size_t n = length; n < s.size(); n++) {
        std::bitset<most + 1> row;
        for (std::size_t tap = 1; tap <= length; tap++) {
            row[tap - 1] = s[n - tap];
        }
        row[most] = s[n];
        rows.push_back(row);
    }
    std::size_t solved = 0;
    for (std::size_t column = 0; column < length && solved < rows.size(); column++) {
        std::size_t pivot = solved;
        while (pivot < rows.size() && !rows[pivot][column]) {
            pivot++;
        }
        if (pivot == rows.size()) {
            continue;
        }
        std::swap(rows[solved], rows[pivot]);
        for (std::size_t row = solved + 1; row < rows.size(); row++) {
            if (rows[row][column]) {
                rows[row] ^= rows[solved];
            }
        }
        solved++;
    }
    for (std::size_t row = solved; row < rows.size(); row++) {
        if (rows[row][most]) {
            return false;
        }
    }
    return true;
}

unsigned shortest_register(const Sequence& sequence) {
    unsigned length = 0;
    while (!has_register(sequence, length)) {
        length++;
    }
    return length;
}

Sequence sequence_of(unsigned number, unsigned size) {
    Sequence sequence(size);
    for (unsigned i = 0; i < size; i++) {
        sequence[i] = number >> i & 1;
    }
    return sequence;
}

Sequence random_sequence(std::mt19937& random, std::size_t size) {
    Sequence sequence(size);
    for (std::size_t i = 0; i < size; i++) {
        sequence[i] = random() >> 31;
    }
    return sequence;
}

/// A register by x^degree + x^tap + 1, from a one.
Sequence trinomial(std::size_t degree, std::size_t tap, std::size_t size) {
    Sequence s(size);
    s[0] = true;
    for (std::size_t n = degree; n < size; n++) {
        s[n] = s[n - degree] != s[n - degree + tap];
    }
    return s;
}

TEST(Bits, AreKeptInOrder) {
    std::mt19937 random(3);
    const Sequence sequence = random_sequence(random, 200);
    const Bits bits = bits_of(sequence);
    ASSERT_EQ(bits.size, sequence.size());
    for (std::size_t i = 0; i < sequence.size(); i++) {
        EXPECT_EQ(bits.at(i), sequence[i]) << i;
    }
}

// Menezes, van Oorschot, Vanstone, "Handbook of Applied Cryptography", example 6.33.
TEST(LinearComplexity, OfTheHandbooksExample) { EXPECT_EQ(complexity_of({0, 0, 1, 1, 0, 1, 1, 1, 0}), 5u); }

TEST(LinearComplexity, OfNothingAndOfZerosIsZero) {
    EXPECT_EQ(complexity_of({}), 0u);
    EXPECT_EQ(complexity_of(Sequence(200)), 0u);
}

TEST(LinearComplexity, OfZerosThenAOneIsTheirNumber) {
    for (const std::size_t size : {1, 2, 63, 64, 65, 127, 128, 129, 200}) {
        Sequence sequence(size);
        sequence.back() = true;
        EXPECT_EQ(complexity_of(sequence), size);
    }
}

TEST(LinearComplexity, OfPeriodicBits) {
    EXPECT_EQ(complexity_of(Sequence(200, true)), 1u);
    Sequence alternating(200);
    for (std::size_t i = 0; i < alternating.size(); i += 2) {
        alternating[i] = true;
    }
    EXPECT_EQ(complexity_of(alternating), 2u);
}

// Degrees below and beyond a word of 64 bits. The trinomials are primitive: no shorter register gives the sequences.
TEST(LinearComplexity, OfALinearFeedbackShiftRegisterIsItsDegree) {
    EXPECT_EQ(complexity_of(trinomial(17, 3, 200)), 17u);
    EXPECT_EQ(complexity_of(trinomial(31, 3, 200)), 31u);
    EXPECT_EQ(complexity_of(trinomial(63, 1, 400)), 63u);
    EXPECT_EQ(complexity_of(trinomial(65, 18, 400)), 65u);
    EXPECT_EQ(complexity_of(trinomial(89, 38, 400)), 89u);
    EXPECT_EQ(complexity_of(trinomial(521, 32, 2000)), 521u);
}

TEST(LinearComplexity, OfEverySequenceOf12BitsIsTheShortestRegister) {
    for (unsigned number = 0; number < 1u << 12; number++) {
        const Sequence sequence = sequence_of(number, 12);
        ASSERT_EQ(complexity_of(sequence), shortest_register(sequence))
            << std::bitset<12>(number) << ", last bit first";
    }
}

TEST(LinearComplexity, OfLongSequencesIsTheShortestRegister) {
    std::mt19937 random(4);
    for (std::size_t size = 50; size <= 400; size += 7) {
        const Sequence sequence = random_sequence(random, size);
        const unsigned complexity = complexity_of(sequence);
        EXPECT_TRUE(has_register(sequence, complexity)) << size << " bits";
        EXPECT_FALSE(has_register(sequence, complexity - 1)) << size << " bits";
    }
}

// Further than 10 from the middle with probability 4^-10.
TEST(LinearComplexity, OfRandomBitsIsAboutHalfTheirNumber) {
    std::mt19937 random(5);
    for (const std::size_t size : {1000, 4096, 5001}) {
        EXPECT_NEAR(complexity_of(random_sequence(random, size)), size / 2.0, 10);
    }
}

TEST(POfLinearComplexity, IsTwiceTheShareOfSequencesAtThatSide) {
    for (const unsigned size : {11u, 12u}) {
        std::map<unsigned, unsigned> sequences;
        for (unsigned number = 0; number < 1u << size; number++) {
            sequences[shortest_register(sequence_of(number, size))]++;
        }
        for (unsigned complexity = 0; complexity <= size; complexity++) {
            double tail = 0;
            for (const auto& [of, count] : sequences) {
                if (2 * complexity <= size ? of <= complexity : of >= complexity) {
                    tail += count;
                }
            }
            EXPECT_DOUBLE_EQ(p_of_linear_complexity(complexity, size), std::min(1.0, 2 * tail / (1u << size)))
                << complexity << " of " << size;
        }
    }
}

TEST(POfLinearComplexity, OfManyBitsDoesNotOverflow) {
    EXPECT_LT(p_of_linear_complexity(32, 1 << 14), 1e-300);
    EXPECT_LT(p_of_linear_complexity(0, 1 << 14), 1e-300);
    EXPECT_LT(p_of_linear_complexity(1 << 14, 1 << 14), 1e-300);
    EXPECT_GT(p_of_linear_complexity(1 << 13, 1 << 14), 0.5);
    EXPECT_GT(p_of_linear_complexity((1 << 13) + 1, 1 << 14), 0.5);
}

}  // namespace
