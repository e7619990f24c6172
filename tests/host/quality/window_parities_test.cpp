// All parities of a window are those that counting gives, and the planes of v15 and v18 have none that stands out.
#include "quality/window_parities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "kernels/pi/shared/sources.hpp"

namespace {

using quality::Window;
using quality::WindowParities;
using Words = std::vector<std::uint32_t>;

constexpr double significant = 1e-6;

Words random_words(std::size_t n) {
    std::mt19937 random(1);
    Words words(n);
    for (std::uint32_t& word : words) {
        word = static_cast<std::uint32_t>(random());
    }
    return words;
}

/// Sum over all positions of +1 for an even number of ones among the bits of `mask` and -1 for an odd one.
double balance(const Words& words, const Window& window, std::uint32_t mask) {
    double sum = 0;
    for (std::size_t latest = window.draws - 1; latest < words.size(); latest++) {
        int ones = 0;
        for (unsigned bit = 0; bit < window.bits * window.draws; bit++) {
            const std::uint32_t word = words[latest - bit / window.bits];
            ones += static_cast<int>((mask >> bit & 1) & word >> (window.first + bit % window.bits));
        }
        sum += ones % 2 == 0 ? 1 : -1;
    }
    return sum;
}

TEST(WindowParities, AreThoseOfEverySubsetWithTheLatestDraw) {
    const Words words = random_words(300);
    for (const Window& window : {Window{5, 1, 4}, Window{30, 2, 3}}) {
        double chi2 = 0, dof = 0, largest = 0;
        for (std::uint32_t mask = 0; mask < 1u << window.bits * window.draws; mask++) {
            if (mask % (1u << window.bits) != 0) {
                const double z = balance(words, window, mask) / std::sqrt(words.size() - window.draws + 1);
                chi2 += z * z;
                dof++;
                largest = std::max(largest, std::abs(z));
            }
        }
        const WindowParities found = quality::window_parities(words, window);
        EXPECT_EQ(found.positions, words.size() - window.draws + 1);
        EXPECT_NEAR(found.chi2, chi2, 1e-9);
        EXPECT_EQ(found.dof, dof);
        EXPECT_NEAR(found.largest, largest, 1e-9);
        const double of_mask = balance(words, window, found.largest_mask);
        EXPECT_NEAR(std::abs(of_mask) / std::sqrt(found.positions), largest, 1e-9);
    }
}

// x[n] = x[n - 11] ^ x[n - 2]: draws 0, 2 and 11 before the latest one.
TEST(WindowParities, FindTheRecurrenceOfAShiftRegister) {
    Words words = random_words(1 << 16);
    for (std::size_t i = 11; i < words.size(); i++) {
        words[i] = words[i - 11] ^ words[i - 2];
    }
    const WindowParities found = quality::window_parities(words, {7, 1, 14});
    EXPECT_LT(found.p, significant);
    EXPECT_LT(found.p_largest, significant);
    EXPECT_NEAR(found.largest, std::sqrt(found.positions), 1e-6);
    EXPECT_EQ(std::popcount(found.largest_mask & (1u << 0 | 1u << 2 | 1u << 11)), std::popcount(found.largest_mask));
}

TEST(WindowParities, NeedAWindowFullOfWords) {
    EXPECT_THROW(quality::window_parities(random_words(19), {0, 1, 20}), std::invalid_argument);
    EXPECT_EQ(quality::window_parities(random_words(20), {0, 1, 20}).positions, 1u);
}

Words words_of(const bench::Source& source, std::size_t n) {
    const auto stream = source.words({1234, 0, 1, 0});
    Words words(n);
    std::generate(words.begin(), words.end(), [&] { return stream->next(); });
    return words;
}

// Two probabilities of each of 11 windows of two sources: of random bits one falls below 1e-6 once in 20,000 choices of the
// seed.
TEST(WindowParities, OfTheLanesOfV15AndV18AreBalanced) {
    std::vector<Window> windows = {{0, 2, 10}, {7, 2, 10}, {15, 2, 10}, {30, 2, 10}};
    for (const unsigned bit : {0u, 1u, 2u, 7u, 8u, 30u, 31u}) {
        windows.push_back({bit, 1, 20});
    }
    for (const bench::Source* source : {&pi::sources::bit_sliced, &pi::sources::dot_sliced}) {
        const auto found = quality::window_parities(*source, 1234, 1 << 24, windows);
        for (std::size_t i = 0; i < windows.size(); i++) {
            EXPECT_GT(found[i].p, significant) << source->name << ", from bit " << windows[i].first;
            EXPECT_GT(found[i].p_largest, significant) << source->name << ", from bit " << windows[i].first;
        }
    }
}

/// The bits `first` and `first` + 1 of the draws n, n - 5 and n - 17 that the recurrence <17, 5> ties, and of those one draw
/// before, in a word for each n.
Words tied_pairs(const Words& words, unsigned first) {
    Words tied;
    for (std::size_t n = 18; n < words.size(); n++) {
        std::uint32_t pairs = 0;
        for (const std::size_t lag : {0, 1, 5, 6, 17, 18}) {
            pairs = pairs << 2 | (words[n - lag] >> first & 3);
        }
        tied.push_back(pairs);
    }
    return tied;
}

TEST(WindowParities, OfNeighbouringBitsOfTiedDrawsOfV18AreBalanced) {
    const Words words = words_of(pi::sources::dot_sliced, 1 << 22);
    for (unsigned first = 0; first < 31; first++) {
        const WindowParities found = quality::window_parities(tied_pairs(words, first), {0, 12, 1});
        EXPECT_GT(found.p_largest, significant) << "from bit " << first << ", of subset " << found.largest_mask;
    }
}

// The parity of bit b is off by 2^-b: 8 sd in bit 8.
TEST(WindowParities, OfNeighbouringBitsOfTiedDrawsShowWithoutTheDotProduct) {
    Words words = random_words(1 << 22);
    for (std::size_t n = 17; n < words.size(); n++) {
        words[n] = 2891336453u * words[n - 17] + words[n - 5];
    }
    for (unsigned first = 0; first < 9; first++) {
        EXPECT_LT(quality::window_parities(tied_pairs(words, first), {0, 12, 1}).p_largest, significant) << first;
    }
}

}  // namespace
