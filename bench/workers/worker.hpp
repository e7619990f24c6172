// A worker runs launches: a GPU, or the threads of a CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/measure/measurement.hpp"
#include "bench/replay.hpp"
#include "bench/step.hpp"
#include "bench/workers/throttle.hpp"

namespace bench {

/// Receives the counts that one launch published.
using CountSink = std::function<void(std::span<const Count>)>;

/// Launches [first, first + launches), part of a batch.
struct Share {
    std::uint64_t first;
    unsigned launches;
};

/// A worker in the record of a run.
struct Member {
    std::string name;           // "NVIDIA H200"
    std::optional<int> device;  // CUDA index
    std::optional<double> max_clock_mhz;
    std::optional<int> rank;  // of its process, if there are several
    std::string host;
    std::uint64_t launches = 0;
    std::optional<double> launches_per_ms;  // median; empty without a launch
    std::optional<double> sm_clock_mhz;     // median
    std::optional<double> power_w;          // mean
    std::optional<Throttle> throttle;
};

/// What was seen around the runs of a worker: the median of its clocks in MHz, and what held them down.
struct Clocks {
    std::optional<double> mhz;
    std::optional<Throttle> throttle;
};

/// Runs launches. Any thread may call the functions, one thread at a time. All but identity() may throw.
class Worker {
 public:
    virtual ~Worker() = default;

    /// What it is, also for error messages: the first three fields.
    virtual Member identity() const = 0;

    /// Does everything for a run of `launches` launches that is not timed. Called on the thread that then runs them.
    virtual void get_ready(unsigned launches) = 0;

    /// Runs a share and returns the time on the worker's own clock. `sink` gets the counts of each launch, in order.
    virtual BatchTime run(const Share& share, const CountSink& sink) = 0;

    /// Forgets what was measured and kept so far, in the warm-up.
    virtual void start_anew() {}

    /// The clocks measured around runs.
    virtual Clocks clocks() const { return {}; }

    /// Mean power in watts, over about a second of back-to-back launches of `launch_ms` each.
    virtual std::optional<double> power_w(double launch_ms) {
        static_cast<void>(launch_ms);
        return std::nullopt;
    }

    /// Replays some of the launches that ran since the warm-up. Throws VerdictError if one did not publish what it should.
    virtual Audit audit() { return {}; }
};

/// The counts that launch `index` publishes on a worker. `ms` gets its time.
inline std::vector<Count> published(Worker& worker, std::uint64_t index, double* ms = nullptr) {
    std::vector<Count> counts;
    worker.get_ready(1);
    const BatchTime time = worker.run(
        {index, 1}, [&](std::span<const Count> of_launch) { counts.assign(of_launch.begin(), of_launch.end()); });
    if (ms) *ms = time.total_ms;
    return counts;
}

}  // namespace bench
