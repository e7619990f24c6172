// A worker runs launches: a GPU, or the threads of a CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/measure/measurement.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Launches [first, first + launches), part of a batch.
struct Share {
    std::uint64_t first;
    unsigned launches;
};

/// A worker in the report.
struct WorkerFacts {
    std::string name;           // "NVIDIA H200"
    std::optional<int> device;  // CUDA index
    std::optional<double> max_clock_mhz = {};
};

/// Runs launches. Any thread may call the functions, one thread at a time. All but facts() may throw.
class Worker {
 public:
    virtual ~Worker() = default;

    /// Also for error messages.
    virtual WorkerFacts facts() const = 0;

    /// Does everything for a run of `launches` launches that is not timed. Called on the thread that then runs them.
    virtual void get_ready(unsigned launches) = 0;

    /// Runs a share, adds its counts to `tally` and returns the time on the worker's own clock.
    virtual BatchTime run(const Share& share, Tally& tally) = 0;

    /// Forgets the clocks measured so far, in the warm-up.
    virtual void discard_clocks() {}

    /// Median of the clocks measured around runs, in MHz.
    virtual std::optional<double> clock_mhz() const { return std::nullopt; }

    /// Mean power in watts, over about a second of back-to-back launches of `launch_ms` each.
    virtual std::optional<double> power_w(double launch_ms) {
        static_cast<void>(launch_ms);
        return std::nullopt;
    }
};

}  // namespace bench
