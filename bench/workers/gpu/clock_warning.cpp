#include "bench/workers/gpu/clock_warning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace bench {
namespace {

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
