// The first draws of many threads: bits of the same thread, from its hashed state on, have nothing in common.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "bench/estimands/hits/source.hpp"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/mrg.cuh"
#include "quality/p_values.hpp"

namespace {

constexpr std::uint64_t threads = 1 << 15;
constexpr unsigned draws = 30, columns = 32 * draws;
constexpr double significant = 1e-6;

/// The draws of a thread, one with each call.
using Draw = std::function<std::uint32_t()>;

/// For each bit of the first draws: its value in every thread.
using Columns = std::vector<std::vector<std::uint64_t>>;

Columns start_up(const std::function<Draw(std::uint64_t thread)>& draws_of) {
    Columns found(columns, std::vector<std::uint64_t>(threads / 64));
    for (std::uint64_t thread = 0; thread < threads; thread++) {
        const Draw draw = draws_of(thread);
        for (unsigned i = 0; i < draws; i++) {
            const std::uint64_t word = draw();
            for (unsigned bit = 0; bit < 32; bit++) {
                found[32 * i + bit][thread / 64] |= (word >> bit & 1) << thread % 64;
            }
        }
    }
    return found;
}

struct Pairs {
    double chi2 = 0;     // sum of the squared parities of all pairs of columns, in units of their variance
    double number = 0;   // of pairs
    double largest = 0;  // distance of a parity from 0, in sd

    /// Of random bits the parities of two pairs are independent.
    double p() const { return quality::p_of_chi_square(chi2, number); }
    double p_largest() const { return number * quality::p_of_normal(largest); }
};

Pairs pairs_of(const Columns& columns) {
    Pairs pairs;
    for (std::size_t one = 0; one < columns.size(); one++) {
        for (std::size_t other = 0; other < one; other++) {
            std::uint64_t unlike = 0;
            for (std::size_t i = 0; i < threads / 64; i++) {
                unlike += static_cast<std::uint64_t>(std::popcount(columns[one][i] ^ columns[other][i]));
            }
            const double z = (static_cast<double>(threads) - 2 * static_cast<double>(unlike)) / std::sqrt(threads);
            pairs.chi2 += z * z;
            pairs.number++;
            pairs.largest = std::max(pairs.largest, std::abs(z));
        }
    }
    return pairs;
}

TEST(StartUp, BitsOfTheFirstDrawsAreIndependentInPairs) {
    for (const bench::Source* source : {&pi::sources::bit_sliced, &pi::sources::dot_sliced,
                                        &pi::sources::alternating_sliced, &pi::sources::shifted_sliced}) {
        const Pairs pairs = pairs_of(start_up([&](std::uint64_t thread) -> Draw {
            const std::shared_ptr<bench::WordStream> words = source->words({1234, 0, threads, thread});
            return [words] { return words->next(); };
        }));
        EXPECT_GT(pairs.p(), significant) << source->name << ", mean z^2 " << pairs.chi2 / pairs.number;
        EXPECT_GT(pairs.p_largest(), significant) << source->name << ", largest z " << pairs.largest;
    }
}

// States that are not hashed, but counted up with the thread and the word.
TEST(StartUp, BitsDependWithoutAHash) {
    const Pairs pairs = pairs_of(start_up([](std::uint64_t thread) -> Draw {
        return rng::DotMrg<17, 5, 16, 0xd9c9a5a1>([=](unsigned i) { return static_cast<unsigned>(thread + i); });
    }));
    EXPECT_LT(pairs.p(), significant);
    EXPECT_LT(pairs.p_largest(), significant);
}

}  // namespace
