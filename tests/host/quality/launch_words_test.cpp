// The words of a launch come in the documented order, and are those that the versions draw.
#include "quality/launch_words.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/pi/shared/sources.hpp"
#include "quality/catalogue.hpp"
#include "quality/lanes.hpp"

namespace {

using bench::Source;
using bench::StreamId;
using quality::BitMatrix;
using quality::WordOrder;
using Words = std::vector<std::uint32_t>;

/// The first `n` words of a launch, after which more may come.
Words words_of(const Source& source, const WordOrder& order, std::size_t n) {
    quality::LaunchWords launch(source, order);
    Words words;
    while (words.size() < n) {
        launch.turn(words);
    }
    words.resize(n);
    return words;
}

/// Words that say which they are: in decimal digits launch, thread, number of the draw.
class Labels : public bench::WordStream {
 public:
    explicit Labels(const StreamId& id) : next_(static_cast<std::uint32_t>(id.launch * 100 + id.thread * 10)) {}
    std::uint32_t next() override { return next_++; }

 private:
    std::uint32_t next_;
};

/// The seed, the threads of the launch, then zeros.
class Given : public bench::WordStream {
 public:
    explicit Given(const StreamId& id) : words_{static_cast<std::uint32_t>(id.threads), std::uint32_t(id.seed)} {}
    std::uint32_t next() override {
        const std::uint32_t word = words_.back();
        words_.pop_back();
        words_.insert(words_.begin(), 0);
        return word;
    }

 private:
    Words words_;
};

/// Random planes, other ones for each thread.
class Planes : public bench::WordStream {
 public:
    explicit Planes(const StreamId& id) : random_(static_cast<std::uint32_t>(1000 + id.thread)) {}
    std::uint32_t next() override { return static_cast<std::uint32_t>(random_()); }

 private:
    std::mt19937 random_;
};

template <typename Stream>
Source source_of() {
    Source source = pi::sources::lcg;
    source.words = [](const StreamId& id) -> std::unique_ptr<bench::WordStream> {
        return std::make_unique<Stream>(id);
    };
    return source;
}

const Source labels = source_of<Labels>();
const Source given = source_of<Given>();
const Source planes = source_of<Planes>();

/// Word number `n` of a lane of a thread of `planes`, bit by bit.
std::uint32_t lane_word(unsigned thread, unsigned lane, unsigned n) {
    Planes stream({0, 0, 0, thread});
    for (unsigned skipped = 0; skipped < 32 * n; skipped++) {
        stream.next();
    }
    std::uint32_t word = 0;
    for (unsigned bit = 0; bit < 32; bit++) {
        word = 2 * word + (stream.next() >> lane) % 2;
    }
    return word;
}

TEST(Lanes, AreTheBitsOfThePlanesFirstBitLeading) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 20; trial++) {
        BitMatrix planes, expected = {};
        for (unsigned n = 0; n < 32; n++) {
            planes[n] = static_cast<std::uint32_t>(random());
            for (unsigned lane = 0; lane < 32; lane++) {
                if (planes[n] & 1u << lane) {
                    expected[lane] |= 0x80000000u >> n;
                }
            }
        }
        EXPECT_EQ(quality::lanes_of(planes), expected);
    }
}

TEST(LaunchWords, OfOneThreadAreItsDraws) { EXPECT_EQ(words_of(labels, {}, 4), (Words{0, 1, 2, 3})); }

TEST(LaunchWords, InterleavedTakeOneDrawOfEachThreadInTurn) {
    EXPECT_EQ(words_of(labels, {.launch = 7, .threads = 3}, 8), (Words{700, 710, 720, 701, 711, 721, 702, 712}));
}

TEST(LaunchWords, ThreadByThreadTakeAllDrawsOfEachThenTheNextLaunch) {
    EXPECT_EQ(words_of(labels, {.launch = 7, .threads = 2, .words_per_thread = 3}, 13),
              (Words{700, 701, 702, 710, 711, 712, 800, 801, 802, 810, 811, 812, 900}));
}

TEST(LaunchWords, PairsKeepXAndYTogether) {
    EXPECT_EQ(words_of(labels, {.threads = 2, .pairs = true}, 8), (Words{0, 1, 10, 11, 2, 3, 12, 13}));
    EXPECT_EQ(words_of(labels, {.threads = 2, .words_per_thread = 4, .pairs = true}, 10),
              (Words{0, 1, 2, 3, 10, 11, 12, 13, 100, 101}));
}

TEST(LaunchWords, AreOfTheSeedAndTheThreadsOfTheLaunch) {
    EXPECT_EQ(words_of(given, {.seed = 77, .threads = 3}, 6), (Words{77, 77, 77, 3, 3, 3}));
    EXPECT_EQ(words_of(given, {.seed = 77, .threads = 3, .words_per_thread = 2}, 4), (Words{77, 3, 77, 3}));
}

TEST(LaunchWords, OfLanesAreThoseOfThread0ThenThoseOfThread1) {
    const Words words = words_of(planes, {.threads = 2, .lanes = true}, 4 * 32);
    for (unsigned i = 0; i < words.size(); i++) {
        EXPECT_EQ(words[i], lane_word(i / 32 % 2, i % 32, i / 64)) << "word " << i;
    }
}

TEST(LaunchWords, OfLanesInPairsKeepXAndYOfALaneTogether) {
    const Words words = words_of(planes, {.threads = 2, .lanes = true, .pairs = true}, 4 * 64);
    for (unsigned i = 0; i < words.size(); i++) {
        EXPECT_EQ(words[i], lane_word(i / 64 % 2, i % 64 / 2, i / 128 * 2 + i % 2)) << "word " << i;
    }
}

TEST(LaunchWords, OfAllThreadsTogetherAreThoseOfEachAlone) {
    const std::size_t draws = 70;  // more than any lag
    const WordOrder order = {.seed = 77, .launch = 2, .threads = 3};
    for (const quality::Entry& entry : quality::catalogue()) {
        SCOPED_TRACE(entry.source->name);
        Words expected(draws * order.threads);
        for (std::uint64_t thread = 0; thread < order.threads; thread++) {
            const auto alone = entry.source->words({order.seed, order.launch, order.threads, thread});
            for (std::size_t i = 0; i < draws; i++) {
                expected[i * order.threads + thread] = alone->next();
            }
        }
        EXPECT_EQ(words_of(*entry.source, order, expected.size()), expected);
    }
}

}  // namespace
