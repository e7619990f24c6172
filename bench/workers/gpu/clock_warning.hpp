// The warning about GPUs with a low clock.
#pragma once

#include <optional>
#include <span>

#include "bench/warning.hpp"
#include "bench/workers/worker.hpp"

namespace bench {

/// One line about the GPUs that ran below 75 % of their maximum, with what held their clocks down if it is known; of several it
/// names them, but not more than eight. Empty if none did.
std::optional<Warning> low_clock_warning(std::span<const Member> gpus);

}  // namespace bench
