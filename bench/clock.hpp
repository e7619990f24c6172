// The clock of the host.
#pragma once

#include <chrono>

namespace bench {

/// Seconds of a monotonic clock.
inline double monotonic_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace bench
