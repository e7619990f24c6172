// The tests of a generator, and how many trips a thread makes in a launch: a launch takes a tenth of a second or less.
#pragma once

#include "quality/words/parity.cuh"
#include "quality/words/patterns.cuh"
#include "quality/words/weights.cuh"

namespace quality::words {

/// Tests of whole streams that suit every generator.
template <typename Generator>
std::vector<Test> general_tests(const char* name) {
    using Parities = ParitiesOf<Generator>;
    std::vector<Test> tests = {
        test_of<typename Parities::Bits>(name, "bits", 2048),
        test_of<typename Parities::Recurrence>(name, "recurrence", 2048),
        test_of<Lags<Generator>>(name, "lags", 2048),
        test_of<Blocks<Generator>>(name, "blocks", 1),
        test_of<Products<Generator>>(name, "products", 1024),
        test_of<Patterns<Generator, Successive>>(name, "successive", 512),
    };
    if constexpr (Generator::r == Tied::r) {
        tests.push_back(test_of<Patterns<Generator, Tied>>(name, "tied", 1024));
    }
    return tests;
}

/// Multiples of the recurrence, which only a generator with one needs. The cubed one has draws 3 r apart.
template <typename Generator>
std::vector<Test> recurrence_tests(const char* name) {
    using Parities = ParitiesOf<Generator>;
    std::vector<Test> tests = {
        test_of<typename Parities::Pair>(name, "pair", 2048),
        test_of<typename Parities::Doubled>(name, "doubled", 2048),
        test_of<typename Parities::SquaredRecurrence>(name, "squared", 2048),
        test_of<typename Parities::Substituted>(name, "substituted", 2048),
        test_of<typename Parities::SubstitutedFar>(name, "substituted_far", 2048),
        test_of<typename Parities::Neighbours>(name, "neighbours", 2048),
        test_of<typename Parities::TurnedRecurrence>(name, "turned", 256, 4 * Turned<1, 2>::turns),
    };
    if constexpr (3 * Generator::r < reach) {
        tests.push_back(test_of<typename Parities::Cubed>(name, "cubed", 2048));
    }
    return tests;
}

/// Tests of the first words of streams.
template <typename Draws>
std::vector<Test> first_word_tests(const char* name) {
    using Parities = ParitiesOf<FirstWords<Draws>>;
    return {
        test_of<typename Parities::Bits>(name, "bits", 32),
        test_of<typename Parities::Pair>(name, "pair", 32),
        test_of<typename Parities::Recurrence>(name, "recurrence", 32),
        test_of<Lags<FirstWords<Draws>>>(name, "lags", 512),
    };
}

inline std::vector<Test> joined(std::initializer_list<std::vector<Test>> parts) {
    std::vector<Test> all;
    for (const std::vector<Test>& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// All of these, of the draws of a multiple recursive generator.
template <typename Draws>
std::vector<Test> all_tests(const char* name) {
    using Generator = Streams<Draws, Draws::short_lag, Draws::round>;
    return joined({general_tests<Generator>(name), recurrence_tests<Generator>(name), first_word_tests<Draws>(name)});
}

// A file for each.
std::vector<Test> alternating_tests();
std::vector<Test> dot_tests();
std::vector<Test> folded_tests();
std::vector<Test> mrg_tests();
std::vector<Test> philox_tests();
std::vector<Test> shifted_tests();
std::vector<Test> xorwow_tests();
std::vector<Test> faulty_tests();

}  // namespace quality::words
