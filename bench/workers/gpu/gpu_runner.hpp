// Launches of one step on the current device, with their times and counts.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bench/launch_spec.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/step.hpp"
#include "bench/workers/gpu/clock_probe.hpp"
#include "bench/workers/gpu/interval_clock.hpp"
#include "bench/workers/gpu/resources.hpp"
#include "bench/workers/gpu/workspace.hpp"

namespace bench {

/// Receives the counts that one launch published.
using CountSink = std::function<void(std::span<const Count>)>;

/// Enqueues and runs all phases of a launch, in order.
void run_phases(const Step& step, const Launch& launch);

class GpuRunner {
 public:
    /// Allocates what launches of `step` need. `sink` gets the counts of each launch, in order.
    GpuRunner(const Step& step, const Work& work, CountSink sink);

    /// Runs launches `first`, `first` + 1, ... and times them, including all phases, without allocation and filling. With
    /// Clock::gpu all together, from the first enqueue to the final counts in device memory. With Clock::wall one after
    /// the other, from its first action to its counts in host memory.
    BatchTime time(std::uint64_t first, unsigned launches);

    /// Does everything of run() that is not timed, and probes the clock.
    void get_ready(unsigned launches);

    /// Like time(), for launches that other GPUs start at the same time. Nothing else runs on the GPU, and nothing
    /// delays the launches until all are enqueued.
    BatchTime run(std::uint64_t first, unsigned launches);

    /// Runs launch 0 once, in an NVTX range, with nothing else on the GPU.
    void profile();

    /// Enqueues launches for about 20 ms and waits until those of the previous call are done. Ignores their counts.
    /// Calls `idle` while waiting.
    void keep_busy(double launch_ms, const std::function<void()>& idle);

    /// Forgets the clocks probed so far.
    void discard_clocks() { clocks_mhz_.clear(); }

    /// Median of the clocks probed just before and after each timing, in MHz; empty before the first.
    std::optional<double> sm_clock_mhz() const;

 private:
    bool on_wall() const { return step_.clock == Clock::wall; }
    void reserve(unsigned launches);
    void probe_clock(std::size_t which, long long ns);
    void note_clocks(std::size_t probes);
    void enqueue(const Launch& launch, Event* after_phase);
    void enqueue_timed(std::uint64_t first, unsigned launches);
    BatchTime elapsed(unsigned launches) const;
    void run_clocked(const Launch& launch);
    void run_untimed(std::uint64_t index);
    BatchTime run_on_wall(std::uint64_t first, unsigned launches);
    void inspect(std::uint64_t index);
    void hand_over(std::uint64_t first, unsigned launches);

    const Step& step_;
    unsigned phases_;
    CountSink sink_;

    Stream stream_;
    Workspace workspace_;
    bool inspected_ = false;
    IntervalClock interval_clock_;  // with Clock::wall
    DeviceBuffer<ClockProbe> probes_;
    std::vector<Count> host_counts_;
    std::vector<Event> before_;       // each launch, and one after the last
    std::vector<Event> after_phase_;  // each but the last of a launch, launch by launch
    std::vector<double> clocks_mhz_;
    long long enqueue_ns_ = 0;  // that the CPU takes for a launch, with a margin
    Event busy_[2];
    unsigned busy_turn_ = 0;
    std::uint64_t busy_index_ = 0;
};

/// The counts that launch `index` of a step publishes on the current device. Throws CudaError.
std::vector<Count> published(const Step& step, const Work& work, std::uint64_t index);

}  // namespace bench
