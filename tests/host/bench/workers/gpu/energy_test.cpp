// Energy is reported for a board, but not for a slice of a board.
#include "bench/workers/gpu/energy.hpp"

#include <gtest/gtest.h>

#include "tests/host/bench/workers/gpu/fake_nvml.hpp"

namespace {

using bench::Nvml;

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

}  // namespace
