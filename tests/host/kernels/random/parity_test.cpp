// The relations that define a generator, in the bits of words that stand in them and in the hits of their samples.
#include "tests/parity.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/mrg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "tests/long_tests.hpp"

namespace {

constexpr unsigned words = 1u << 26;
constexpr unsigned samples = 1u << 24;

/// The words of a thread of `source`.
class Draw {
 public:
    explicit Draw(const bench::Source& source) : stream_(source.words({1234, 0, 1, 0})) {}
    unsigned operator()() { return stream_->next(); }

 private:
    std::unique_ptr<bench::WordStream> stream_;
};

/// x[n] = x[n - 31] + x[n - 13], v14's recurrence without its multiplier.
class LaggedFibonacci {
 public:
    explicit LaggedFibonacci(Draw state) {
        for (unsigned& word : x_) {
            word = state();
        }
    }
    unsigned operator()() {
        const unsigned word = x_[n_ % 31] + x_[(n_ + 18) % 31];
        return x_[n_++ % 31] = word;
    }

 private:
    std::array<unsigned, 31> x_;
    std::uint64_t n_ = 0;
};

void expect_balanced(const Parities& parities) {
    for (unsigned bit = 0; bit < 32; bit++) {
        EXPECT_LT(std::abs(sigmas(parities, bit)), 5) << "bit " << bit;
    }
}

// Of random words any place in a turn, and more than one turn.
TEST(Parity, IsCountedInEveryColumn) {
    constexpr unsigned memory = 17;
    std::mt19937 one(1), same(1);
    const Parities found = parities<memory, 17, 5>(one, 10'000);
    EXPECT_GE(found.words, 10'000u);
    EXPECT_LE(found.words, 10'000u + 4095);
    std::vector<std::uint32_t> drawn(found.words + memory);
    std::generate(drawn.begin(), drawn.end(), [&] { return static_cast<std::uint32_t>(same()); });
    std::array<unsigned long long, 32> ones{};
    for (std::size_t n = memory; n < drawn.size(); n++) {
        for (unsigned bit = 0; bit < 32; bit++) {
            ones[bit] += (drawn[n] ^ drawn[n - 17] ^ drawn[n - 5]) >> bit & 1;
        }
    }
    EXPECT_EQ(std::to_array(found.ones), ones);
}

// Over all u and v, bit b of (a u + v) ^ u ^ v is set (1 - 2^-b) / 2 of the time: counted for b up to 22.
TEST(Parity, OfTheMrgHalvesFromBitToBit) {
    Draw draw(pi::sources::mrg);
    const Parities found = parities<31, 31, 13>(draw, words);
    EXPECT_EQ(found.ones[0], 0u) << "the recurrence modulo 2";
    const double root = std::sqrt(static_cast<double>(found.words));
    for (unsigned bit = 1; bit < 32; bit++) {
        EXPECT_NEAR(sigmas(found, bit), -std::ldexp(root, -static_cast<int>(bit)), 5) << "bit " << bit;
    }
}

TEST(Parity, OfTheFoldedMrgShowsInNoBit) {
    Draw draw(pi::sources::bit_sliced);
    expect_balanced(parities<11, 11, 2>(draw, words));
    expect_balanced(parities<11, 2>(draw, words));
    expect_balanced(parities<11, 11>(draw, words));
}

TEST(Parity, OfTheDotMrgShowsInNoBit) {
    Draw draw(pi::sources::dot_sliced);
    expect_balanced(parities<17, 17, 5>(draw, words));
    expect_balanced(parities<17, 5>(draw, words));
    expect_balanced(parities<17, 17>(draw, words));
}

// The exact sum of dot_mrg_test.cpp is -1.635e-4: 7.6 sd in 2^31 words.
TEST(Parity, OfADotMrgWithABadKShowsInBit3) {
    if (!long_tests()) {
        GTEST_SKIP() << "2^31 words take 10 seconds: make test-full runs it";
    }
    Parities found = {};
#pragma omp parallel for
    for (unsigned thread = 0; thread < 512; thread++) {
        rng::DotMrg<17, 5, 16, 0x9d89a3b9> draw([=](unsigned i) { return rng::stream_seed(1234, 0, thread, i); });
        const Parities mine = parities<17, 17, 5>(draw, 1 << 22);
#pragma omp critical
        {
            found.words += mine.words;
            for (unsigned bit = 0; bit < 32; bit++) {
                found.ones[bit] += mine.ones[bit];
            }
        }
    }
    const double root = std::sqrt(static_cast<double>(found.words));
    for (unsigned bit = 0; bit < 32; bit++) {
        EXPECT_NEAR(sigmas(found, bit), bit == 3 ? 1.635e-4 * root : 0, 5) << "bit " << bit;
    }
}

constexpr double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;

// The words n, n - 13 and n - 31 are of the samples k, k - 7 and k - 16 where n is even, of k, k - 6 and k - 15 where odd.
TEST(Parity, DoesNotShowInHitsOfTheMrg) {
    Draw draw(pi::sources::mrg);
    EXPECT_LT(std::abs(sigmas(triples<7, 16>(draw, samples), p)), 5);
    EXPECT_LT(std::abs(sigmas(triples<6, 15>(draw, samples), p)), 5);
}

TEST(Parity, ShowsInHitsWithoutTheMultiplier) {
    LaggedFibonacci draw{Draw(pi::sources::mrg)};
    EXPECT_GT(std::abs(sigmas(triples<7, 16>(draw, samples), p)), 20);
    EXPECT_GT(std::abs(sigmas(triples<6, 15>(draw, samples), p)), 20);
}

}  // namespace
