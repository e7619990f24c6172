// Who runs launches: a GPU, or the threads of a CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/measure/measurement.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Launches [first, first + launches), a part of a batch.
struct Share {
    std::uint64_t first;
    unsigned launches;
};

/// What a worker is, for the report.
struct WorkerFacts {
    std::string name;           // "NVIDIA H200"
    std::optional<int> device;  // its CUDA index
    std::optional<double> max_clock_mhz = {};
};

/// Runs launches. Functions may be called from any thread, by one at a time; each but facts() may throw.
class Worker {
 public:
    virtual ~Worker() = default;

    /// For reports of failures too.
    virtual WorkerFacts facts() const = 0;

    /// Does all of a run of so many launches that is not to be timed, on the thread that then runs them.
    virtual void get_ready(unsigned launches) = 0;

    /// Runs a share, adds its counts to `tally` and returns the time on the worker's own clock.
    virtual BatchTime run(const Share& share, Tally& tally) = 0;

    /// Forgets the clocks measured so far, which were of the warm-up.
    virtual void discard_clocks() {}

    /// Median of the clocks measured around runs, in MHz.
    virtual std::optional<double> clock_mhz() const { return std::nullopt; }

    /// Mean power over a second or so of launches of `launch_ms` each, back to back, in watts.
    virtual std::optional<double> power_w(double launch_ms) {
        static_cast<void>(launch_ms);
        return std::nullopt;
    }
};

}  // namespace bench
