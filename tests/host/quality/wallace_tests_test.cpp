// The tests of Wallace's generator find in each variant what theory says, and nothing in independent normals.
#include "quality/wallace_tests.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using quality::Normals;

constexpr std::uint64_t seed = 20;

class WallaceVariant : public testing::TestWithParam<Normals> {};

TEST_P(WallaceVariant, PassesAndFailsTheTestsThatItShould) {
    const auto findings = quality::wallace_findings(GetParam(), seed);
    const auto expected = quality::expected_passes(GetParam());
    for (std::size_t i = 0; i < findings.size(); i++) {
        EXPECT_EQ(findings[i].passes(), expected[i])
            << findings[i].test << ": " << findings[i].value << ", " << findings[i].sigma << " sd";
    }
}

INSTANTIATE_TEST_SUITE_P(Battery, WallaceVariant,
                         testing::Values(Normals::wallace, Normals::wallace_without_chi, Normals::wallace_of_chapter,
                                         Normals::independent));

TEST(BatteryWallace, MeasuresWhatTheoryPredicts) {
    const auto found = quality::wallace_findings(Normals::wallace, seed);
    EXPECT_NEAR(found[0].value, 1, 0.02) << "factors give the sum of squares its variance";
    EXPECT_NEAR(found[1].value, 0.25, 0.01) << "a fourth of the fourth moment's departure is left after a pass";
    EXPECT_NEAR(found[2].value, 0.5, 0.01) << "a number is half of its source, and of three others";
    EXPECT_NEAR(found[3].value, 1 + 25'600.0 / 2048, 2) << "2048 degrees of freedom in 25,600 passes";
    const auto without = quality::wallace_findings(Normals::wallace_without_chi, seed);
    EXPECT_LT(without[0].value, 1e-6) << "orthogonal matrices keep the sum of squares";
    EXPECT_NEAR(quality::wallace_findings(Normals::wallace_of_chapter, seed)[0].value, 2048.0 / 32'768, 0.002)
        << "the factors are those of 16 pools together";
}

}  // namespace
