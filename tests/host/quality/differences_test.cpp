// Whole words of FoldedMrg do not pass a test that knows their multiplier; bit planes do.
#include "quality/differences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/pi/shared/sources.hpp"

namespace {

using quality::Serial;

constexpr double significant = 1e-6;
constexpr std::size_t words = 1 << 20;

// An independent implementation found chi-square 18,193 of 15 degrees of freedom in as many words of another thread. Its sd
// is about 2 sqrt(18,193).
TEST(Differences, ShowInWholeWordsOfFoldedMrgTwoDrawsApart) {
    const auto found = quality::differences(pi::sources::folded_mrg, 1234, words, 3);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].dof, 15u);
    EXPECT_NEAR(found[1].chi2, 18193, 5 * 2 * std::sqrt(18193));
    EXPECT_GT(found[0].p, significant);
    EXPECT_GT(found[2].p, significant);
}

TEST(Differences, OfAFewThousandWordsAreEnough) {
    EXPECT_LT(quality::differences(pi::sources::folded_mrg, 1234, 3500, 2)[1].p, significant);
}

// The dot product of bytes hides the multiplier from this test.
TEST(Differences, DoNotShowInWholeWordsOfDotMrg) {
    const auto stream = pi::sources::dot_sliced.words({1234, 0, 1, 0});
    std::vector<std::uint32_t> drawn(words);
    std::generate(drawn.begin(), drawn.end(), [&] { return stream->next(); });
    for (const Serial& s : quality::differences(drawn, 1, 18)) {
        EXPECT_GT(s.p, significant);
    }
}

TEST(Differences, DoNotShowInItsLanesNorInOtherGenerators) {
    for (const bench::Source* source : {&pi::sources::bit_sliced, &pi::sources::dot_sliced, &pi::sources::philox,
                                        &pi::sources::xorwow, &pi::sources::mrg}) {
        for (const Serial& s : quality::differences(*source, 1234, words, 4)) {
            EXPECT_GT(s.p, significant) << source->name;
        }
    }
}

// Two streams in turn that count up in steps of 1 and of 2^31: at lag 1 the leading bits are those of the multiplier, and
// those of 2^31, since the multiplier is odd; at lag 2 those of twice the multiplier, and 0.
TEST(Differences, AreOfWordsOfTheSameStream) {
    std::vector<std::uint32_t> counting;
    for (std::uint32_t i = 0; i < 100; i++) {
        counting.push_back(i);
        counting.push_back(i << 31);
    }
    const auto found = quality::differences(counting, 2, 2);
    const auto chi2 = [](double pairs) {
        return (2 * std::pow(pairs / 2 - pairs / 16, 2) + 14 * std::pow(pairs / 16, 2)) / (pairs / 16);
    };
    EXPECT_EQ(found[0].pairs, 198u);
    EXPECT_NEAR(found[0].chi2, chi2(198), 1e-6);
    EXPECT_EQ(found[1].pairs, 196u);
    EXPECT_NEAR(found[1].chi2, chi2(196), 1e-6);
}

}  // namespace
