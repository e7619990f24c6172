// The warning of GPUs that ran slowly.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/team/team.hpp"

namespace bench {

/// The SM clock of a GPU while it ran, and the highest that it has.
struct GpuClock {
    std::string name;  // among several: "device 2", "rank 3 on a"
    std::optional<double> mhz;
    std::optional<double> max_mhz;
};

/// The clocks of a team, of each GPU with its own maximum.
std::vector<GpuClock> clocks_of(const TeamReport& team);

/// One line that names the GPUs that ran under 75 % of their maximum, the first of many; nothing where none did.
std::optional<std::string> low_clock_warning(std::span<const GpuClock> clocks);

}  // namespace bench
