// What NVML tells: energy of a board, but not of a slice of a board; what holds its clock down.
#include "bench/workers/gpu/energy.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tests/host/bench/workers/gpu/fake_nvml.hpp"

namespace {

using bench::Nvml;
using bench::Throttle;

TEST(Energy, IsThatOfTheBoardAtTheAddress) {
    for (const Mig mig : {Mig::unsupported, Mig::disabled}) {
        set_fake_mig(mig);
        const auto nvml = Nvml::open(fake_board);
        ASSERT_TRUE(nvml);
        EXPECT_EQ(nvml->energy_joules(), 5);
    }
    EXPECT_FALSE(Nvml::open("0000:2C:00.0"));
}

TEST(Energy, OfASliceIsNotKnown) {
    set_fake_mig(Mig::enabled);
    const auto nvml = Nvml::open(fake_board);
    ASSERT_TRUE(nvml);
    EXPECT_EQ(nvml->energy_joules(), std::nullopt);
    EXPECT_EQ(bench::mean_power(*nvml, [](const std::function<void()>&) { FAIL() << "nothing to measure"; }),
              std::nullopt);
    EXPECT_EQ(nvml->driver_version(), "580.1") << "the rest is known";
}

TEST(Processes, AreThoseOfTheBoardButNotOfASlice) {
    for (const unsigned count : {0u, 1u, 3u}) {
        set_fake_processes(count);
        set_fake_mig(Mig::disabled);
        EXPECT_EQ(Nvml::open(fake_board)->processes(), count);
        set_fake_mig(Mig::enabled);
        EXPECT_EQ(Nvml::open(fake_board)->processes(), std::nullopt);
    }
}

// The bits of nvml.h, group "nvmlClocksEventReasons".
TEST(Throttle, TellsWhatHoldsTheClockDown) {
    const Throttle nothing = {.timings = 1, .min_c = 61, .max_c = 61};
    Throttle power = nothing, thermal = nothing, sync_boost = nothing, other = nothing, power_and_thermal = nothing;
    power.power = thermal.thermal = sync_boost.sync_boost = other.other = 1;
    power_and_thermal.power = power_and_thermal.thermal = 1;
    const std::pair<unsigned long long, Throttle> table[] = {
        {0x0, nothing},
        {0x1 /* idle */, nothing},
        {0x2 /* applications' clocks */, nothing},
        {0x4 /* software power cap */, power},
        {0x80 /* power brake */, power},
        {0x20 /* software thermal slowdown */, thermal},
        {0x40 /* hardware thermal slowdown */, thermal},
        {0x10 /* sync boost */, sync_boost},
        {0x8 /* hardware slowdown */, other},
        {0x8 | 0x40, thermal},
        {0x8 | 0x80, power},
        {0x100 /* display clock */, other},
        {1ull << 40 /* of a later driver */, other},
        {0x1 | 0x4 | 0x20, power_and_thermal},
    };
    const auto nvml = Nvml::open(fake_board);
    ASSERT_TRUE(nvml);
    for (const auto& [reasons, expected] : table) {
        set_fake_clocks(reasons, 61);
        EXPECT_EQ(nvml->throttle(), expected) << std::hex << reasons;
    }
    set_fake_clocks(0x4, {});
    EXPECT_EQ(nvml->throttle(), std::nullopt) << "without a sensor";
}

}  // namespace
