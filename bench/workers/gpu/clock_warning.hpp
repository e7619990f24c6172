// The warning about GPUs with a low clock.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/workers/team.hpp"

namespace bench {

/// The SM clock of a GPU during the run, and its maximum.
struct GpuClock {
    std::string name;  // one of several: "device 2", "rank 3 on a"; a single one: empty
    std::optional<double> mhz;
    std::optional<double> max_mhz;
};

/// The clock of each GPU of a team, with its maximum.
std::vector<GpuClock> clocks_of(const TeamReport& team);

/// One line that names the GPUs that ran below 75 % of their maximum, but not more than eight; empty if none did.
std::optional<std::string> low_clock_warning(std::span<const GpuClock> clocks);

}  // namespace bench
