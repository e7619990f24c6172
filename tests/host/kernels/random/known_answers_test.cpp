// Every generator gives the published words.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/random/lcg.cuh"
#include "kernels/random/philox.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/xorshift32.cuh"
#include "tests/host/kernels/random/curand_draws.hpp"
#include "tests/host/test_data.hpp"

namespace {

using nlohmann::json;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t poison = 0xdeadbeef;  // in buffers to be filled

json cases_of(const std::string& generator) { return test_cases("known_answers.json", generator); }

using Fill = void (*)(std::uint64_t seed, std::uint64_t subsequence, std::uint32_t* words, std::size_t n);

/// Draws every known sequence of a cuRAND generator into a poisoned buffer.
void check_curand(const std::string& generator, Fill fill) {
    for (const json& known : cases_of(generator)) {
        SCOPED_TRACE(known.dump());
        Words expected = known.at("outputs");
        ASSERT_FALSE(expected.empty());
        Words words(expected.size() + 1, poison);
        fill(std::stoull(known.at("seed").get<std::string>()), known.at("subsequence"), words.data(), expected.size());
        expected.push_back(poison);
        EXPECT_EQ(words, expected);
    }
}

/// Draws every known sequence of a generator with 32 bits of state into a poisoned buffer.
void check_small(const std::string& generator, unsigned (*next)(unsigned*)) {
    for (const json& known : cases_of(generator)) {
        SCOPED_TRACE(known.dump());
        const Words expected = known.at("outputs");
        ASSERT_FALSE(expected.empty());
        Words words(10'000, poison);
        unsigned state = known.at("state");
        for (std::uint32_t& word : words) {
            word = next(&state);
        }
        EXPECT_EQ(Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(expected.size())), expected);
        if (known.contains("output_10000")) {
            EXPECT_EQ(words.back(), known.at("output_10000").get<std::uint32_t>());
        }
        EXPECT_EQ(state, words.back()) << "the output is the new state";
    }
}

template <std::size_t n>
void read_words(const json& from, std::uint32_t (&to)[n]) {
    ASSERT_EQ(from.size(), n);
    for (std::size_t i = 0; i < n; i++) {
        to[i] = static_cast<std::uint32_t>(std::stoul(from[i].get<std::string>(), nullptr, 16));
    }
}

TEST(KnownAnswers, Philox4x32With10Rounds) {
    for (const json& known : cases_of("philox4x32_10")) {
        SCOPED_TRACE(known.dump());
        rng::PhiloxCounter counter, expected;
        rng::PhiloxKey key;
        read_words(known.at("counter"), counter.word);
        read_words(known.at("key"), key.word);
        read_words(known.at("output"), expected.word);
        rng::PhiloxCounter output = {{poison, poison, poison, poison}};
        output = rng::philox4x32_10(counter, key);
        EXPECT_EQ(std::to_array(output.word), std::to_array(expected.word));
    }
}

TEST(KnownAnswers, CurandPhilox) { check_curand("curand_philox", curand_draws::philox); }

TEST(KnownAnswers, CurandXorwow) { check_curand("curand_xorwow", curand_draws::xorwow); }

TEST(KnownAnswers, Xorshift32) { check_small("xorshift32", rng::xorshift32); }

TEST(KnownAnswers, LcgOfNumericalRecipes) { check_small("lcg_numerical_recipes", rng::lcg); }

TEST(KnownAnswers, LcgOfGlibc) { check_small("lcg_glibc", rng::lcg_glibc); }

TEST(KnownAnswers, LcgOfNumericalRecipesAfter10000Draws) {
    unsigned state = 0;
    for (int i = 0; i < 10'000; i++) {
        rng::lcg(&state);
    }
    EXPECT_EQ(state, 2845218640u);  // by Python's integers
}

// Known answers for raw Philox and for cuRAND's meet here: counter words 2 and 3 hold the subsequence.
TEST(KnownAnswers, CurandPhiloxIsPhiloxWithTheSubsequenceInTheCounter) {
    for (const std::uint64_t seed : {std::uint64_t{1234}, std::uint64_t{0xdeadbeefcafef00d}}) {
        for (const std::uint64_t subsequence : {std::uint64_t{0}, std::uint64_t{5'000'000'000}}) {
            Words drawn(8, poison), computed;
            curand_draws::philox(seed, subsequence, drawn.data(), drawn.size());
            for (std::uint32_t counter = 0; counter < 2; counter++) {
                const auto block =
                    rng::philox4x32_10({{counter, 0, static_cast<std::uint32_t>(subsequence),
                                         static_cast<std::uint32_t>(subsequence >> 32)}},
                                       {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
                computed.insert(computed.end(), std::begin(block.word), std::end(block.word));
            }
            EXPECT_EQ(drawn, computed) << "seed " << seed << ", subsequence " << subsequence;
        }
    }
}

TEST(Xorshift32State, IsNeverTheStateThatXorshiftCannotLeave) {
    EXPECT_NE(rng::xorshift32_state(0), 0u);
    EXPECT_EQ(rng::xorshift32_state(1), 1u);
    EXPECT_EQ(rng::xorshift32_state(0xffffffffu), 0xffffffffu);
}

TEST(StreamSeed, DependsOnEveryOneOfItsArguments) {
    const unsigned base = rng::stream_seed(1234, 5, 6, 1);
    EXPECT_NE(rng::stream_seed(1235, 5, 6, 1), base);
    EXPECT_NE(rng::stream_seed(1234 + (std::uint64_t{1} << 63), 5, 6, 1), base);
    EXPECT_NE(rng::stream_seed(1234, 6, 5, 1), base);
    EXPECT_NE(rng::stream_seed(1234, 5 + (std::uint64_t{1} << 32), 6, 1), base);
    EXPECT_NE(rng::stream_seed(1234, 5, 6 + (std::uint64_t{1} << 32), 1), base);
    EXPECT_NE(rng::stream_seed(1234, 5, 6, 2), base);
}

}  // namespace
