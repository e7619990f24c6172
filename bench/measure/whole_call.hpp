// The phases of a whole call, which --call times.
#pragma once

#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bench/measure/measurement.hpp"
#include "bench/step.hpp"

namespace bench {

enum CallPhase { call_alloc, call_run, call_copy, call_sum, call_free };

/// Their names, in order.
inline const std::vector<std::string> call_phases = {"alloc", "run", "copy", "sum", "free"};

/// Times the phases of calls, one after the other.
class CallClock {
 public:
    /// Ends the phase that began when the last one ended.
    void end(CallPhase phase) {
        const double now = monotonic_seconds();
        time_.phases_ms[phase] += (now - start_) * 1e3;
        time_.total_ms += (now - start_) * 1e3;
        start_ = now;
    }
    /// Begins the next phase now: what was done since the last one ended is not part of the call.
    void skip() { start_ = monotonic_seconds(); }

    const BatchTime& time() const { return time_; }

 private:
    BatchTime time_;
    double start_ = monotonic_seconds();
};

/// The sum of the counts, as a user's function would form it. The compiler cannot leave it out.
inline void add_up(std::span<const Count> counts) {
    const volatile Count sum = std::accumulate(counts.begin(), counts.end(), Count{0});
    static_cast<void>(sum);
}

}  // namespace bench
