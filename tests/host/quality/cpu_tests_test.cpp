// What is counted of a source is what its words give: worked by hand, and word by word.
#include "quality/cpu_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/pi/shared/sources.hpp"
#include "quality/linear_complexity.hpp"
#include "quality/specimens.hpp"

namespace {

using bench::Source;
using bench::StreamId;
using quality::Streams;
using Counts = std::vector<std::uint64_t>;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t low = 0, high = 0xffffffffu;  // (low, low) hits, (high, high) does not

/// Words that go round a pattern of hits and misses.
template <int period, int hits>
class Pattern : public bench::WordStream {
 public:
    explicit Pattern(const StreamId&) {}
    std::uint32_t next() override {
        const int sample = draw_++ / 2 % period;
        return sample < hits ? low : high;
    }

 private:
    int draw_ = 0;
};

/// The source that goes round `hits` hits and then misses, every `period` samples.
template <int period, int hits>
Source pattern() {
    Source source = pi::sources::lcg;
    source.expected = {hits, period};
    source.words = [](const StreamId& id) -> std::unique_ptr<bench::WordStream> {
        return std::make_unique<Pattern<period, hits>>(id);
    };
    return source;
}

/// The first `n` words of a stream: of a thread or, of bit planes, of a lane, bit by bit.
Words words_of(const Source& source, const Streams& streams, std::uint64_t stream, std::size_t n) {
    const std::uint64_t lanes = source.bit_planes ? 32 : 1;
    const auto thread = source.words({streams.seed, 0, streams.count / lanes, stream / lanes});
    Words words(n);
    for (std::uint32_t& word : words) {
        if (!source.bit_planes) {
            word = thread->next();
            continue;
        }
        for (int bit = 0; bit < 32; bit++) {
            word = word << 1 | (thread->next() >> stream % lanes & 1);
        }
    }
    return words;
}

TEST(HitsPerStream, AreTheHitsOfEachThread) {
    const Streams streams = {5, 40};
    for (const Source* source : {&pi::sources::xorwow, &pi::sources::lcg_two_families, &pi::sources::lcg_mantissa}) {
        const auto hits = quality::hits_per_stream(*source, streams, 50);
        ASSERT_EQ(hits.size(), streams.count);
        for (std::uint64_t t = 0; t < streams.count; t++) {
            const Words words = words_of(*source, streams, t, 100);
            std::uint32_t expected = 0;
            for (std::size_t i = 0; i < words.size(); i += 2) {
                const float x = source->coordinate(words[i]), y = source->coordinate(words[i + 1]);
                expected += std::fmaf(x, x, y * y) <= 1;
            }
            EXPECT_EQ(hits[t], expected) << source->name << ", stream " << t;
        }
    }
}

// A sample takes 8 bits of a lane for x and 8 for y: a 32-bit word of the lane is two samples.
TEST(HitsPerStream, OfBitPlanesAreTheHitsOfEachLane) {
    const Streams streams = {5, 64};
    for (const Source* source : {&quality::specimens::trinomial_63_1, &quality::specimens::trinomial_31_3}) {
        const auto hits = quality::hits_per_stream(*source, streams, 50);
        ASSERT_EQ(hits.size(), streams.count);
        for (std::uint64_t lane = 0; lane < streams.count; lane++) {
            std::uint32_t expected = 0;
            for (const std::uint32_t word : words_of(*source, streams, lane, 25)) {
                for (const unsigned sample : {word >> 16, word & 0xffff}) {
                    const unsigned x = sample >> 8, y = sample & 0xff;  // in 1/256
                    expected += x * x + y * y <= 256 * 256;
                }
            }
            EXPECT_EQ(hits[lane], expected) << source->name << ", lane " << lane;
        }
    }
}

TEST(CountPairs, AreOfSuccessiveWordsAndOfNeighbouringStreams) {
    const Streams streams = {5, 64};
    constexpr std::size_t pairs = 9;
    for (const Source* source : {&pi::sources::xorwow, &pi::sources::lcg, &quality::specimens::trinomial_63_1}) {
        Counts xy(65536), neighbours(65536);
        const auto leading = [](std::uint32_t word) { return word / 0x1000000; };
        for (std::uint64_t t = 0; t < streams.count; t += 2) {
            const Words even = words_of(*source, streams, t, 2 * pairs),
                        odd = words_of(*source, streams, t + 1, 2 * pairs);
            for (std::size_t i = 0; i < 2 * pairs; i++) {
                neighbours[256 * leading(even[i]) + leading(odd[i])]++;
                if (i % 2 == 0) {
                    xy[256 * leading(even[i]) + leading(even[i + 1])]++;
                    xy[256 * leading(odd[i]) + leading(odd[i + 1])]++;
                }
            }
        }
        const auto counts = quality::count_pairs(*source, streams, pairs);
        EXPECT_EQ(counts.xy, xy) << source->name;
        EXPECT_EQ(counts.neighbours, neighbours) << source->name;
    }
}

// Hit and miss in turn: what lies above the expectation by 1/2 lies below it by 1/2 one sample on.
TEST(LagCorrelations, OfHitAndMissInTurn) {
    const auto lags = quality::lag_correlations(pattern<2, 1>(), {1, 4}, 100, 4);
    ASSERT_EQ(lags.correlation.size(), 4u);
    for (int lag = 1; lag <= 4; lag++) {
        EXPECT_NEAR(lags.correlation[static_cast<std::size_t>(lag - 1)], lag % 2 == 0 ? 1 : -1, 1e-12) << lag;
    }
    EXPECT_DOUBLE_EQ(lags.sd, 0.05);
}

// One hit of three: deviations 2/3, -1/3, -1/3 and a variance of 2/9. The products of neighbours, 30 of them, are -2/9,
// 1/9, -2/9 in turn.
TEST(LagCorrelations, OfOneHitOfThree) {
    const auto lags = quality::lag_correlations(pattern<3, 1>(), {1, 2}, 31, 1);
    EXPECT_NEAR(lags.correlation[0], -0.5, 1e-12);
}

TEST(BitComplexities, AreOfEachBitOfTheFirstThread) {
    constexpr unsigned bits = 100;
    const Words words = words_of(pi::sources::philox, {9, 1}, 0, bits);
    const auto complexities = quality::bit_complexities(pi::sources::philox, 9, bits);
    ASSERT_EQ(complexities.size(), 32u);
    for (unsigned b = 0; b < 32; b++) {
        quality::Bits sequence;
        for (const std::uint32_t word : words) {
            sequence.add(word & 1u << b);
        }
        EXPECT_EQ(complexities[b], quality::linear_complexity(sequence)) << "bit " << b;
    }
}

}  // namespace
