// Generators that no golden count is of draw the words of their definitions, from states hashed in order.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/mwc64x.cuh"
#include "kernels/random/philox.cuh"
#include "kernels/random/stream_seed.cuh"

namespace {

using bench::StreamId;
using Words = std::vector<std::uint32_t>;

/// The words of a state as a thread hashes them.
std::vector<std::uint64_t> hashed(const StreamId& id, unsigned n) {
    std::vector<std::uint64_t> words;
    for (unsigned i = 0; i < n; i++) {
        words.push_back(rng::stream_seed(id.seed, id.launch, id.thread, i));
    }
    return words;
}

constexpr std::uint64_t a = 2891336453;  // L'Ecuyer 1999, table 4
constexpr std::uint64_t two_to_32 = std::uint64_t{1} << 32;

/// Appends `draws` elements to `x`, which begins with the state; its first one is made odd.
template <typename Next>
void extend(std::vector<std::uint64_t>* x, unsigned draws, Next next) {
    x->front() |= 1;
    for (unsigned i = 0; i < draws; i++) {
        x->push_back(next(x->end()));
    }
}

using History = std::vector<std::uint64_t>::iterator;  // x[n] of which -k is x[n - k]

Words of_xor_mrg(const StreamId& id, unsigned draws) {
    auto x = hashed(id, 31);
    extend(&x, draws, [](History n) { return (a * n[-31] + (n[-6] ^ n[-13] ^ n[-24])) % two_to_32; });
    return {x.begin() + 31, x.end()};
}

void expect_words(const bench::Source& source, Words (*expected)(const StreamId&, unsigned draws)) {
    constexpr unsigned draws = 3000;
    unsigned even = 0;
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1234}, ~std::uint64_t{0}}) {
        for (const std::uint64_t thread : {0, 1, 2, 3, 12'345'678}) {
            const StreamId id = {seed, seed % 3, 20'000'000, thread};
            const auto stream = source.words(id);
            Words words;
            std::generate_n(std::back_inserter(words), draws, [&] { return stream->next(); });
            EXPECT_EQ(words, expected(id, draws)) << source.name << ", seed " << seed << ", thread " << thread;
            even += hashed(id, 2)[0] % 2 == 0 && hashed(id, 2)[1] % 2 == 0 ? 1 : 0;  // the state's lowest word
        }
    }
    EXPECT_GT(even, 0u) << "no first word had to be made odd";
}

TEST(Words, OfXorMrgAreItsRecurrences) { expect_words(pi::sources::xor_mrg, of_xor_mrg); }

Words of_mwc64x(const StreamId& id, unsigned draws) {
    std::uint64_t x = hashed(id, 2)[0], carry = hashed(id, 2)[1] % 4294883355;
    Words words;
    for (unsigned i = 0; i < draws; i++) {
        words.push_back(static_cast<std::uint32_t>(x ^ carry));
        const std::uint64_t next = 4294883355 * x + carry;
        x = next % two_to_32;
        carry = next / two_to_32;
    }
    return words;
}

/// The chapter's formulas: three shift registers with their masks, and the LCG.
Words of_hybrid_tausworthe(const StreamId& id, unsigned draws) {
    constexpr unsigned shifts[3][3] = {{13, 19, 12}, {2, 25, 4}, {3, 11, 17}};
    constexpr std::uint32_t masks[3] = {4294967294, 4294967288, 4294967280};
    const auto first = hashed(id, 4);
    std::uint32_t z[4];
    for (int i = 0; i < 4; i++) z[i] = static_cast<std::uint32_t>(first[i]) | (i < 3 ? 128u : 0u);
    Words words;
    for (unsigned n = 0; n < draws; n++) {
        for (int i = 0; i < 3; i++) {
            const std::uint32_t b = ((z[i] << shifts[i][0]) ^ z[i]) >> shifts[i][1];
            z[i] = ((z[i] & masks[i]) << shifts[i][2]) ^ b;
        }
        z[3] = 1664525 * z[3] + 1013904223;
        words.push_back(z[0] ^ z[1] ^ z[2] ^ z[3]);
    }
    return words;
}

TEST(Words, OfHybridTauswortheAreItsRecurrences) { expect_words(pi::sources::hybrid_tausworthe, of_hybrid_tausworthe); }

TEST(Words, OfMwc64xAreItsRecurrences) { expect_words(pi::sources::mwc64x, of_mwc64x); }

// A x + c = x + 2^32 c for (0, 0) and (2^32 - 1, A - 1).
TEST(Mwc64x, IsNeverStuck) {
    for (const auto& [x, carry] : {std::pair{0u, 0u}, {0u, 4294883355u}, {~0u, 4294883354u}}) {
        rng::Mwc64x draw(x, carry);
        const unsigned first = draw();
        EXPECT_FALSE(draw() == first && draw() == first) << x << ", " << carry;
    }
}

using FourWords = std::array<std::uint32_t, 4>;

FourWords philox7(const rng::PhiloxCounter& counter, const rng::PhiloxKey& key) {
    return std::to_array(rng::philox4x32<7>(counter, key).word);
}

// Random123's kat_vectors.
TEST(Philox4x32With7Rounds, DrawsKnownWords) {
    constexpr unsigned all = ~0u;
    EXPECT_EQ(philox7({{0, 0, 0, 0}}, {{0, 0}}), (FourWords{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}));
    EXPECT_EQ(philox7({{all, all, all, all}}, {{all, all}}),
              (FourWords{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}));
    EXPECT_EQ(philox7({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}),
              (FourWords{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}));
}

/// Key: the seed. Counter: the number of the block, and that of the thread among those of all launches.
Words of_philox7(const StreamId& id, unsigned draws) {
    const auto halves = [](std::uint64_t word) {
        return std::pair(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word / two_to_32));
    };
    const auto [key, upper_key] = halves(id.seed);
    const auto [thread, upper_thread] = halves(id.launch * id.threads + id.thread);
    Words words;
    for (std::uint32_t block = 0; words.size() < draws; block++) {
        const FourWords four = philox7({{block, 0, thread, upper_thread}}, {{key, upper_key}});
        words.insert(words.end(), four.begin(), four.end());
    }
    words.resize(draws);
    return words;
}

TEST(Words, OfPhilox7AreItsBlocks) { expect_words(pi::sources::philox7, of_philox7); }

}  // namespace
