#include "bench/workers/gpu/clock_warning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bench {
namespace {

constexpr double low_clock = 0.75;  // of the maximum
constexpr std::size_t most_named = 8;

bool is_low(const GpuClock& clock) { return clock.mhz && clock.max_mhz && *clock.mhz < low_clock * *clock.max_mhz; }

std::string text_of(const GpuClock& clock) {
    return fmt::format("{}{:.0f} of {:.0f} MHz", clock.name.empty() ? "" : clock.name + " at ", *clock.mhz,
                       *clock.max_mhz);
}

std::string name_of(const MemberFacts& member) {
    return member.rank ? fmt::format("rank {} on {}", *member.rank, member.host)
                       : fmt::format("device {}", member.worker.device.value_or(0));
}

}  // namespace

std::vector<GpuClock> clocks_of(const TeamReport& team) {
    std::vector<GpuClock> clocks;
    for (const TeamMember& member : team.members) {
        clocks.push_back({name_of(member.facts), member.sm_clock_mhz, member.facts.worker.max_clock_mhz});
    }
    return clocks;
}

std::optional<std::string> low_clock_warning(std::span<const GpuClock> clocks) {
    std::vector<std::string> low;
    for (const GpuClock& clock : clocks) {
        if (is_low(clock)) low.push_back(text_of(clock));
    }
    if (low.empty()) {
        return std::nullopt;
    }
    if (low.size() > most_named) {
        const std::size_t more = low.size() - most_named;
        low.resize(most_named);
        low.push_back(fmt::format("and {} more", more));
    }
    return fmt::format("the SM clock was under {:.0f} % of the maximum: {}", 100 * low_clock, fmt::join(low, ", "));
}

}  // namespace bench
