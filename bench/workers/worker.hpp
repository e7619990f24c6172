// A worker runs launches: a GPU, or the threads of a CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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
    virtual std::optional<double> power_w(double /* launch_ms */) { return std::nullopt; }

    /// Replays some of the launches that ran since the warm-up. Throws VerdictError if one did not publish what it should.
    virtual Audit audit() { return {}; }
};

/// Runs launches of `step` on the threads of this process, as many as a block of the specification has. Both must outlive the
/// worker. It times them one after the other, from their first action to their counts.
std::unique_ptr<Worker> cpu_worker(const Step& step, const LaunchSpec& spec);

/// Makes CUDA device `device` current and ready for launches of `step`. Step and specification must outlive the worker. It times
/// launches, including all phases, without allocation and filling. With Clock::gpu all together, from the first enqueue to the final
/// counts in device memory. With Clock::wall one after the other, from its first action to its counts in host memory.
/// @param alone not in a team, not even in one of one GPU: the launches are held back until all are enqueued, which a team's
/// time by the host's clock would count
std::unique_ptr<Worker> gpu_worker(int device, const Step& step, const LaunchSpec& spec, bool alone = true);

/// Runs launch 0 once, in an NVTX range, with nothing else on the GPU.
void profile(int device, const Step& step, const LaunchSpec& spec, const CountSink& sink);

}  // namespace bench
