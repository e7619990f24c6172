// The words of the generators that mix the words of Mrg, as they are defined: forth through the draws, and back.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

using Words = std::vector<std::uint32_t>;

inline constexpr std::uint32_t multiplier = 2891336453;  // a: L'Ecuyer 1999, table 4

/// That of `multiplier` modulo 2^32.
inline std::uint32_t inverse_of_multiplier() {
    std::uint32_t inverse = multiplier;  // modulo 8
    for (int bits = 3; bits < 32; bits *= 2) {
        inverse *= 2 - multiplier * inverse;
    }
    return inverse;
}

/// The product of the bytes with those of K = 0xd9c9a5a1.
inline std::uint32_t byte_product(std::uint32_t x) {
    return 0xa1 * (x % 256) + 0xa5 * (x / 256 % 256) + 0xc9 * (x / 65536 % 256) + 0xd9 * (x / 16777216);
}

/// The state of r words, ending in the word `last`, whose next draws are `draws`: forth through draws[i] = x + mix(i, word
/// before x), back through x[n] = a x[n - r] + x[n - s].
template <typename Mix>
Words state_before(std::size_t r, std::size_t s, std::uint32_t last, const Words& draws, Mix mix) {
    Words x(r + draws.size());
    x[r - 1] = last;
    for (std::size_t i = 0; i < draws.size(); i++) {
        x[r + i] = draws[i] - mix(i, x[r + i - 1]);
    }
    for (std::size_t n = x.size(); n-- > r;) {
        x[n - r] = inverse_of_multiplier() * (x[n] - x[n - s]);
    }
    x.resize(r);
    return x;
}

inline Words random_words(std::mt19937& random, std::size_t n) {
    Words words(n);
    for (std::uint32_t& word : words) {
        word = static_cast<std::uint32_t>(random());
    }
    return words;
}

/// Asserts that for any last word r - 1 draws come from a state of r words, if its first one is odd.
template <typename Before, typename DrawsFrom>
void expect_any_draws_from_one_state(std::size_t r, Before before, DrawsFrom draws_from) {
    ASSERT_EQ(multiplier * inverse_of_multiplier(), 1u);
    std::mt19937 random(1);
    unsigned tried = 0;
    for (unsigned i = 0; i < 1000; i++) {
        const Words draws = random_words(random, r - 1);
        const Words state = before(static_cast<std::uint32_t>(random()), draws);
        if (state[0] % 2 == 1) {  // the others are not taken as they are
            tried++;
            ASSERT_EQ(draws_from(state, r - 1), draws);
        }
    }
    EXPECT_GT(tried, 400u);
}
