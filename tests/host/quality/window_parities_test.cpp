// All parities of a window are those that counting gives, and the planes that v15 draws have none that stands out.
#include "quality/window_parities.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "kernels/pi/device/sources.hpp"

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

// Two probabilities of each of seven windows: of random bits one falls below 1e-6 once in 70,000 choices of the seed.
TEST(WindowParities, OfFoldedMrgsLanesAreBalanced) {
    std::vector<Window> windows = {{0, 2, 10}, {15, 2, 10}, {30, 2, 10}};
    for (const unsigned bit : {0u, 1u, 30u, 31u}) {
        windows.push_back({bit, 1, 20});
    }
    const auto found = quality::window_parities(pi::sources::bit_sliced, 1234, 1 << 24, windows);
    for (std::size_t i = 0; i < windows.size(); i++) {
        EXPECT_GT(found[i].p, significant) << "from bit " << windows[i].first;
        EXPECT_GT(found[i].p_largest, significant) << "from bit " << windows[i].first;
    }
}

}  // namespace
