// The warning about GPUs with a low clock, with made-up clocks.
#include "bench/workers/gpu/clock_warning.hpp"

#include <gtest/gtest.h>

namespace {

using bench::clocks_of;
using bench::GpuClock;
using bench::low_clock_warning;
using bench::TeamReport;

/// The warning of one GPU.
std::optional<std::string> warning_of(std::optional<double> mhz, std::optional<double> max_mhz) {
    return low_clock_warning(std::vector{GpuClock{"", mhz, max_mhz}});
}

/// A member on device `device` with a clock of `mhz` of `max_mhz`.
bench::TeamMember member(int device, std::optional<double> mhz, std::optional<double> max_mhz) {
    return {{{"made up", device, max_mhz}, {}, "a"}, 1, {}, mhz, {}};
}

std::optional<std::string> warning_of(const std::vector<bench::TeamMember>& members) {
    return low_clock_warning(clocks_of(TeamReport{{}, members}));
}

TEST(LowClockWarning, BeginsUnderThreeQuartersOfTheMaximum) {
    EXPECT_EQ(warning_of(1500, 2000), std::nullopt);
    EXPECT_EQ(warning_of(1499, 2000), "the SM clock was under 75 % of the maximum: 1499 of 2000 MHz");
}

TEST(LowClockWarning, NeedsBothClocks) {
    EXPECT_EQ(warning_of({}, 2000), std::nullopt);
    EXPECT_EQ(warning_of(100, {}), std::nullopt);
}

// The median of the three is normal.
TEST(LowClockWarning, NamesTheMemberOfATeamThatRanSlowly) {
    EXPECT_EQ(warning_of({member(0, 1980, 1980), member(3, 900, 1980), member(1, 1980, 1980)}),
              "the SM clock was under 75 % of the maximum: device 3 at 900 of 1980 MHz");
}

TEST(LowClockWarning, HoldsEachMemberAgainstItsOwnMaximum) {
    EXPECT_EQ(warning_of({member(0, 1400, 1980), member(1, 1400, 1410)}),
              "the SM clock was under 75 % of the maximum: device 0 at 1400 of 1980 MHz");
}

TEST(LowClockWarning, NamesRanksWithTheirHosts) {
    auto first = member(0, 900, 1980), second = member(0, 800, 1980);
    first.facts.rank = 4;
    second.facts.rank = 5;
    second.facts.host = std::string(1, 'b');  // g++ 12 warns of the assignment of "b"
    EXPECT_EQ(warning_of({first, second}),
              "the SM clock was under 75 % of the maximum: rank 4 on a at 900 of 1980 MHz, rank 5 on b at 800 of 1980 "
              "MHz");
}

TEST(LowClockWarning, NamesTheFirstOfMany) {
    std::vector<bench::TeamMember> members;
    for (int device = 0; device < 100; device++) members.push_back(member(device, 900, 1980));
    const std::string text = warning_of(members).value();
    EXPECT_NE(text.find("device 7 at"), std::string::npos) << text;
    EXPECT_EQ(text.find("device 8 at"), std::string::npos) << text;
    EXPECT_NE(text.find(", and 92 more"), std::string::npos) << text;
}

TEST(LowClockWarning, IsNotGivenOfWorkersWithoutAClock) {
    EXPECT_EQ(warning_of(std::vector<bench::TeamMember>(3, member(0, {}, {}))), std::nullopt);
}

}  // namespace
