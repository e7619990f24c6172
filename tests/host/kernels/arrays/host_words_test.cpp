// The words that the host makes: those of std::mt19937, in chunks or not, on any number of cores.
#include "kernels/arrays/shared/host_words.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "kernels/arrays/shared/host_flags.hpp"
#include "kernels/random/stream_seed.cuh"
#include "tests/host/kernels/arrays/golden.hpp"

using arrays::Words;

namespace {

using Made = std::vector<std::uint32_t>;  // X, then Y

Made words_of(std::uint64_t samples, std::uint64_t launch) {
    Made made(2 * samples);
    arrays::make_words(arrays::words_in(made.data(), samples), {golden::seed, launch});
    return made;
}

Made chunks_of(std::uint64_t samples, std::uint64_t launch) {
    Made made(2 * samples);
    arrays::make_chunks(arrays::words_in(made.data(), samples), {golden::seed, launch});
    return made;
}

std::uint64_t hits_of(Made& made) {
    const Words words = arrays::words_in(made.data(), made.size() / 2);
    Made flags(words.samples);
    arrays::flag_hits_on_host(flags.data(), words, 2);
    return arrays::sum_on_host(flags.data(), words.samples, 2);
}

/// Words of std::mt19937, as the C++ standard defines it.
Made sequence(std::uint32_t seed, std::uint64_t n) {
    std::mt19937 engine(seed);
    Made words;
    for (std::uint64_t i = 0; i < n; i++) words.push_back(engine());
    return words;
}

TEST(HostWords, AreTwoSequencesWithHashedSeeds) {
    const Made words = words_of(3, 0);
    EXPECT_EQ(words, (Made{677307141, 2296237320, 667694161, 2463092725, 4204834276, 3578287871}));
    Made next = sequence(2083029888, 1000);
    const Made y = sequence(1028059177, 1000);
    next.insert(next.end(), y.begin(), y.end());
    EXPECT_EQ(words_of(1000, 1), next);
}

TEST(HostWords, HaveTheGoldenHitCounts) {
    for (const auto& [samples, hits] : golden::of_words) {
        for (const std::uint64_t launch : {0, 1}) {
            Made words = words_of(samples, launch);
            EXPECT_EQ(hits_of(words), hits[launch]) << samples << " samples, launch " << launch;
        }
    }
}

TEST(ChunkedWords, HaveTheGoldenHitCounts) {
    for (const auto& [samples, hits] : golden::of_chunks) {
        for (const std::uint64_t launch : {0, 1}) {
            Made words = chunks_of(samples, launch);
            EXPECT_EQ(hits_of(words), hits[launch]) << samples << " samples, launch " << launch;
        }
    }
}

TEST(ChunkedWords, HaveTwoSequencesForEachChunkAndTheLastTakesTheRest) {
    for (const std::uint64_t samples : {std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{64}, std::uint64_t{1000}}) {
        const std::uint64_t each = samples / 64;
        Made expected;
        for (const unsigned array : {0, 1}) {
            for (unsigned chunk = 0; chunk < 64; chunk++) {
                const Made words =
                    sequence(rng::stream_seed(golden::seed, 7, chunk, array), chunk < 63 ? each : samples - 63 * each);
                expected.insert(expected.end(), words.begin(), words.end());
            }
        }
        EXPECT_EQ(chunks_of(samples, 7), expected) << samples;
    }
}

TEST(ChunkedWords, AreTheSameInVectors) {
    for (const std::uint64_t samples : {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1'000'003}}) {
        Made made(2 * samples);
        std::uint64_t handed_on = 0;
        arrays::make_chunks_in_vectors(arrays::words_in(made.data(), samples), {golden::seed, 5},
                                       [&](unsigned, const arrays::Part& part) { handed_on += part.samples; });
        EXPECT_EQ(made, chunks_of(samples, 5)) << samples;
        EXPECT_EQ(handed_on, samples);
    }
}

TEST(ChunkedWords, DoNotDependOnTheNumberOfCores) {
    const int cores = omp_get_max_threads();
    const Made expected = chunks_of(100'003, 0);
    for (const int threads : {1, 3, 7}) {
        omp_set_num_threads(threads);
        EXPECT_EQ(chunks_of(100'003, 0), expected) << threads;
    }
    omp_set_num_threads(cores);
}

/// How often each sample was handed on, with its words made. Each piece comes once, and those of a chunk in order.
std::vector<unsigned> handed_on(std::uint64_t samples) {
    const Made expected = chunks_of(samples, 0);
    Made made(2 * samples);
    std::vector<unsigned> times(samples);
    std::vector<unsigned> pieces(arrays::pieces);
    arrays::make_chunks(arrays::words_in(made.data(), samples), {golden::seed, 0},
                        [&](unsigned piece, const arrays::Part& part) {
                            pieces.at(piece)++;
                            EXPECT_TRUE(piece % arrays::pieces_of_chunk == 0 || pieces.at(piece - 1) == 1) << piece;
                            for (std::uint64_t i = part.first; i < part.first + part.samples; i++) {
                                const bool whole = made[i] == expected[i] && made[samples + i] == expected[samples + i];
                                times.at(i) += whole ? 1 : 0;
                            }
                        });
    EXPECT_EQ(pieces, std::vector<unsigned>(pieces.size(), 1)) << samples;
    return times;
}

TEST(ChunkedWords, AreHandedOnOncePieceByPiece) {
    for (const std::uint64_t samples :
         {std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{64'000}, std::uint64_t{99'999}}) {
        EXPECT_EQ(handed_on(samples), std::vector<unsigned>(samples, 1)) << samples;
    }
}

TEST(ChunkedWords, StopToBeHandedOnAfterAnError) {
    Made made(2000);
    unsigned calls = 0;
    const auto fail = [&](unsigned, const arrays::Part&) {
        calls++;
        throw std::runtime_error("no");
    };
    EXPECT_THROW(arrays::make_chunks(arrays::words_in(made.data(), 1000), {golden::seed, 0}, fail), std::runtime_error);
    EXPECT_EQ(calls, 1u);
}

}  // namespace
