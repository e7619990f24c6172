#include "bench/workers/throttle.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bench/text.hpp"
#include "bench/workers/worker.hpp"

namespace bench {
namespace {

constexpr unsigned long long idle = 0x1, applications_clocks = 0x2, sw_power_cap = 0x4, hw_slowdown = 0x8,
                             sync_boost = 0x10, sw_thermal = 0x20, hw_thermal = 0x40, hw_power_brake = 0x80;

constexpr double low_clock = 0.75;  // of the maximum
constexpr std::size_t most_named = 8;

bool is_low(const Member& gpu) {
    return gpu.sm_clock_mhz && gpu.max_clock_mhz && *gpu.sm_clock_mhz < low_clock * *gpu.max_clock_mhz;
}

std::string name_of(const Member& gpu) {
    return gpu.rank ? fmt::format("rank {} on {}", *gpu.rank, gpu.host)
                    : fmt::format("device {}", gpu.device.value_or(0));
}

std::string clock_text(const Member& gpu) {
    const std::string reasons = reasons_text(gpu.throttle);
    return fmt::format("{:.0f} of {:.0f} MHz{}", *gpu.sm_clock_mhz, *gpu.max_clock_mhz,
                       reasons.empty() ? "" : " (" + reasons + ")");
}

}  // namespace

Throttle throttle_of(unsigned long long reasons, unsigned celsius) {
    const auto has = [&](unsigned long long bits) { return (reasons & bits) != 0; };
    const bool slowdown_is_explained = has(hw_thermal | hw_power_brake);
    const unsigned long long named = idle | applications_clocks | sw_power_cap | sync_boost | sw_thermal | hw_thermal |
                                     hw_power_brake | (slowdown_is_explained ? hw_slowdown : 0);
    return {.timings = 1,
            .power = has(sw_power_cap | hw_power_brake),
            .thermal = has(sw_thermal | hw_thermal),
            .sync_boost = has(sync_boost),
            .other = has(~named),
            .min_c = celsius,
            .max_c = celsius};
}

void add(std::optional<Throttle>& sum, const std::optional<Throttle>& more) {
    if (!sum || !more) {
        if (more) sum = more;
        return;
    }
    sum->timings += more->timings;
    sum->power += more->power;
    sum->thermal += more->thermal;
    sum->sync_boost += more->sync_boost;
    sum->other += more->other;
    sum->min_c = std::min(sum->min_c, more->min_c);
    sum->max_c = std::max(sum->max_c, more->max_c);
}

std::string reasons_text(const std::optional<Throttle>& throttle) {
    if (!throttle) {
        return "";
    }
    std::vector<std::string> reasons;
    for (const auto& [name, timings] : {std::pair("power cap", throttle->power),
                                        {"heat", throttle->thermal},
                                        {"sync boost", throttle->sync_boost},
                                        {"another reason", throttle->other}}) {
        if (timings > 0) reasons.push_back(fmt::format("{} in {}", name, grouped(timings)));
    }
    return reasons.empty() ? "" : fmt::format("{} of {} timings", fmt::join(reasons, ", "), grouped(throttle->timings));
}

std::optional<Warning> low_clock_warning(std::span<const Member> gpus) {
    std::vector<std::string> low;
    for (const Member& gpu : gpus) {
        if (is_low(gpu)) low.push_back((gpus.size() > 1 ? name_of(gpu) + " at " : "") + clock_text(gpu));
    }
    if (low.empty()) {
        return std::nullopt;
    }
    if (low.size() > most_named) {
        const std::size_t more = low.size() - most_named;
        low.resize(most_named);
        low.push_back(fmt::format("and {} more", more));
    }
    return Warning{"clock", fmt::format("the SM clock was under {:.0f} % of the maximum: {}", 100 * low_clock,
                                        fmt::join(low, ", "))};
}

}  // namespace bench
