// The words of cuRAND's host interface, as its CPU side makes them: first words, golden hits, and the start of a launch.
// The golden hits were computed apart from the suite, those of Philox and Sobol from the generators' definitions.
#include "kernels/random/curand_words.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/hits/source.hpp"
#include "kernels/arrays/shared/expectations.hpp"
#include "kernels/arrays/shared/hit.cuh"
#include "kernels/arrays/versions.hpp"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/random/curand_library.hpp"
#include "kernels/random/stream_seed.cuh"

namespace {

using rng::CurandKind;
using rng::CurandWords;
using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t seed = 1234;

Words next_words(CurandWords& generator, std::size_t n) {
    Words words(n);
    generator.generate(words.data(), n);
    return words;
}

Words words_of(const CurandKind& kind, std::uint64_t first, std::size_t n) {
    CurandWords generator(kind, CurandWords::Side::host);
    generator.start(seed, first);
    return next_words(generator, n);
}

Words words_of_launch(const CurandKind& kind, std::uint64_t launch, std::size_t n) {
    CurandWords generator(kind, CurandWords::Side::host);
    generator.begin(seed, launch, n);
    return next_words(generator, n);
}

/// Hits of the first `samples` samples if x takes the first words and y as many that follow.
std::uint64_t hits_of(const Words& words, std::size_t samples) {
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < samples; i++) {
        hits += arrays::is_hit(words[i], words[samples + i]) ? 1 : 0;
    }
    return hits;
}

/// Skips visibly without cuRAND's library.
class Curand : public testing::Test {
 protected:
    void SetUp() override {
        try {
            rng::curand_library();
        } catch (const bench::NoGpuError& error) {
            GTEST_SKIP() << error.what();
        }
    }
};

struct Known {
    const char* name;
    CurandKind kind;
    Words first_words;
    std::uint64_t hits_of_thousand, hits_of_million;
};

class CurandKnown : public Curand, public testing::WithParamInterface<Known> {};

TEST_P(CurandKnown, MakesItsFirstWordsAndItsHits) {
    const Known& known = GetParam();
    Words words;
    try {
        words = words_of(known.kind, 0, 2'000'000);  // once: MT19937 takes seconds to start
    } catch (const bench::CudaError& error) {
        const bool is_mt19937 = known.kind.type == rng::mt19937_words.type;
        if (CURAND_VERSION >= 10'400 || !is_mt19937) throw;
        GTEST_SKIP() << "CUDA 12's cuRAND does not seed MT19937 on this host: " << error.what();
    }
    EXPECT_EQ(Words(words.begin(), words.begin() + 4), known.first_words);
    EXPECT_EQ(hits_of(words, 1'000), known.hits_of_thousand);
    EXPECT_EQ(hits_of(words, 1'000'000), known.hits_of_million);
}

INSTANTIATE_TEST_SUITE_P(
    Generator, CurandKnown,
    testing::Values(Known{"xorwow", rng::xorwow_words, {624778773, 3522650202, 2363946744, 1266286439}, 782, 785'141},
                    Known{"philox", rng::philox_words, {546353992, 3665621163, 1140953199, 3419031310}, 791, 785'921},
                    Known{"mtgp32", rng::mtgp32_words, {2501053709, 1991185121, 2644103708, 4279383218}, 813, 785'659},
                    Known{"mt19937", rng::mt19937_words, {822569775, 292421642, 643530888, 2825097111}, 777, 785'042}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(Curand, Mrg32k3aMakesItsFirstWords) {
    EXPECT_EQ(words_of(rng::mrg32k3a_words, 0, 3), (Words{3379073520, 653317650, 4012281984}));
}

// The second coordinates follow all first ones.
TEST_F(Curand, SobolMakesItsPointsAndItsHits) {
    EXPECT_EQ(words_of(rng::sobol_words, 0, 8),
              (Words{0, 2147483648, 3221225472, 1073741824, 0, 2147483648, 1073741824, 3221225472}));
    EXPECT_EQ(hits_of(words_of(rng::sobol_words, 0, 2'000), 1'000), 786u);
    EXPECT_EQ(hits_of(words_of(rng::sobol_words, 0, 2'000'000), 1'000'000), 785'424u);
}

using CurandLaunches = Curand;

TEST_F(CurandLaunches, TheSecondOneHasTheKnownHits) {
    EXPECT_EQ(hits_of(words_of_launch(rng::xorwow_words, 1, 2'000'000), 1'000'000), 785'571u);
    EXPECT_EQ(hits_of(words_of_launch(rng::philox_words, 1, 2'000'000), 1'000'000), 784'973u);
}

// So consecutive launches of a run need no new start. The number of words is no multiple of a generator's streams.
TEST_F(CurandLaunches, GoOnWhereTheOneBeforeEnded) {
    constexpr std::size_t n = 100'006;
    for (const CurandKind& kind : {rng::xorwow_words, rng::philox_words, rng::mrg32k3a_words}) {
        const Words all = words_of(kind, 0, 8 * n);
        CurandWords generator(kind, CurandWords::Side::host);
        for (const std::uint64_t launch : {0, 1, 2, 7}) {
            generator.begin(seed, launch, n);
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(launch * n);
            EXPECT_EQ(next_words(generator, n), Words(first, first + n))
                << "type " << kind.type << ", launch " << launch;
        }
    }
}

TEST_F(CurandLaunches, StartByAHashedSeedIfTheGeneratorCannotSkip) {
    CurandWords generator(rng::mtgp32_words, CurandWords::Side::host);
    CurandWords other(rng::mtgp32_words, CurandWords::Side::host);
    for (const std::uint64_t launch : {0, 1}) {
        generator.begin(seed, launch, 1'000);
        other.start(rng::stream_seed(seed, launch, 0, 0), 0);
        EXPECT_EQ(next_words(generator, 1'000), next_words(other, 1'000)) << "launch " << launch;
    }
}

TEST_F(CurandLaunches, OfAPointSetHaveTheSamePoints) {
    CurandWords generator(rng::sobol_words, CurandWords::Side::host);
    generator.begin(seed, 0, 1'000);
    const Words first = next_words(generator, 1'000);
    generator.begin(seed, 1, 1'000);
    EXPECT_EQ(next_words(generator, 1'000), first);
}

TEST(CurandLibrary, ThatIsMissingIsOneLineThatNamesItAndWhereItIsLookedFor) {
    try {
        rng::load_curand("libcurand.so.of_no_toolkit");
        FAIL() << "loaded";
    } catch (const bench::Error& error) {
        const std::string line = error.what();
        EXPECT_EQ(error.code(), bench::exit_no_gpu);
        EXPECT_NE(line.find("libcurand.so.of_no_toolkit"), std::string::npos) << line;
        EXPECT_NE(line.find("LD_LIBRARY_PATH"), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

TEST(CurandSources, AreJudgedByTheExpectationOfTheirWords) {
    const std::map<std::string, bench::Expectation> others = {{"curand_mrg32k3a", arrays::mrg32k3a_pairs}};
    for (const auto* kind : {&arrays::versions(), &arrays::ablations()}) {
        for (const bench::Step* step : *kind) {
            const bench::Source& source = bench::source_of(*step);
            const auto other = others.find(source.name);
            const bench::Expectation& own = other == others.end() ? pi::curand_uniform_pairs : other->second;
            EXPECT_EQ(source.expected.count, own.count) << step->name;
            EXPECT_EQ(source.expected.total, own.total) << step->name;
        }
    }
}

}  // namespace
