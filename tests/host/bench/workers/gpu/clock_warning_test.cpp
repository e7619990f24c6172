// The warning about GPUs with a low clock, with made-up clocks.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/workers/worker.hpp"

namespace {

using bench::Member;

/// A GPU with a clock of `mhz` of `max_mhz`, in a process of its own if it has a rank.
Member gpu(int device, std::optional<double> mhz, std::optional<double> max_mhz, std::optional<int> rank = {},
           const char* host = "a") {
    return {"made up", device, max_mhz, rank, host, 1, {}, mhz, {}, {}};
}

/// The same, with timings in which its clock was held down.
Member throttled(Member gpu, const bench::Throttle& throttle) {
    gpu.throttle = throttle;
    return gpu;
}

TEST(LowClockWarning, IsOfThoseUnderThreeQuartersOfTheirOwnMaximum) {
    const std::pair<std::vector<Member>, const char*> table[] = {
        {{gpu(0, 1500, 2000)}, ""},
        {{gpu(0, 1499, 2000)}, "1499 of 2000 MHz"},
        {{gpu(0, {}, 2000)}, ""},
        {{gpu(0, 100, {})}, ""},
        {{gpu(0, 1980, 1980), gpu(3, 900, 1980), gpu(1, 1980, 1980)}, "device 3 at 900 of 1980 MHz"},
        {{gpu(0, 1400, 1980), gpu(1, 1400, 1410)}, "device 0 at 1400 of 1980 MHz"},
        {{gpu(0, 900, 1980, 4), gpu(0, 800, 1980, 5, "b")},
         "rank 4 on a at 900 of 1980 MHz, rank 5 on b at 800 of 1980 MHz"},
        {{throttled(gpu(0, 1485, 2000), {.timings = 1000, .power = 12})},
         "1485 of 2000 MHz (power cap in 12 of 1,000 timings)"},
        {{throttled(gpu(0, 1485, 2000), {.timings = 50})}, "1485 of 2000 MHz"},
        {{throttled(gpu(0, 1500, 2000), {.timings = 50, .power = 50})}, ""},
        {{throttled(gpu(0, 900, 1980), {.timings = 50, .thermal = 3, .sync_boost = 2, .other = 1}), gpu(1, 901, 1980)},
         "device 0 at 900 of 1980 MHz (heat in 3, sync boost in 2, another reason in 1 of 50 timings), device 1 at 901 "
         "of 1980 MHz"},
    };
    for (const auto& [members, clocks] : table) {
        const std::string text = bench::low_clock_warning(members).value_or(bench::Warning{}).text;
        EXPECT_EQ(text, *clocks ? std::string("the SM clock was under 75 % of the maximum: ") + clocks : "");
    }
}

TEST(LowClockWarning, NamesTheFirstOfMany) {
    std::vector<Member> members;
    for (int device = 0; device < 100; device++) members.push_back(gpu(device, 900, 1980));
    const std::string text = bench::low_clock_warning(members).value().text;
    EXPECT_NE(text.find("device 7 at"), std::string::npos) << text;
    EXPECT_EQ(text.find("device 8 at"), std::string::npos) << text;
    EXPECT_NE(text.find(", and 92 more"), std::string::npos) << text;
}

}  // namespace
