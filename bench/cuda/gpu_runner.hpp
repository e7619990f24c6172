// Launches of one step on the current device, with their times and counts.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bench/contract.hpp"
#include "bench/cuda/clock_probe.hpp"
#include "bench/cuda/resources.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/work.hpp"

namespace bench {

/// Receives the counts that one launch published.
using CountSink = std::function<void(std::span<const Count>)>;

class GpuRunner {
 public:
    /// Allocates what launches of `step` need. `sink` gets the counts of each launch, in order.
    GpuRunner(const Step& step, const Work& work, CountSink sink);

    /// Runs launches `first`, `first` + 1, ... and times them together, on the GPU's own clock: from the first enqueue
    /// to the final counts in device memory, all phases included; allocation, filling and copies excluded.
    BatchTime time(std::uint64_t first, unsigned launches);

    /// Does all of run() for so many launches that is not to be timed, and probes the clock.
    void get_ready(unsigned launches);

    /// As time(), of launches that others start at the same time: nothing but they is on the GPU, and nothing holds it
    /// while they are enqueued.
    BatchTime run(std::uint64_t first, unsigned launches);

    /// Launch 0 once, in an NVTX range, with nothing else on the GPU.
    void profile();

    /// Enqueues launches worth some 20 ms and waits until those of the call before are done; their counts are not used.
    /// `idle` is called while waiting.
    void keep_busy(double launch_ms, const std::function<void()>& idle);

    /// Forgets the clocks probed so far.
    void discard_clocks() { clocks_mhz_.clear(); }

    /// Median of the clocks probed just before and after each timing, in MHz; nothing before the first.
    std::optional<double> sm_clock_mhz() const;

 private:
    void reserve(unsigned launches);
    void poison(unsigned launches);
    void probe_clock(std::size_t which, long long ns);
    void note_clocks(std::size_t probes);
    void enqueue(std::uint64_t index, Count* counts, Event* after_phase);
    void enqueue_timed(std::uint64_t first, unsigned launches);
    BatchTime elapsed(unsigned launches) const;
    void hand_over(unsigned launches);

    const Step& step_;
    Work work_;
    unsigned phases_;
    CountSink sink_;
    std::size_t counts_per_launch_;

    Stream stream_;
    DeviceBuffer<unsigned char> scratch_;
    DeviceBuffer<Count> counts_;
    DeviceBuffer<ClockProbe> probes_;
    std::vector<Count> host_counts_;
    std::vector<Event> before_;       // each launch; and one after the last
    std::vector<Event> after_phase_;  // each but the last of a launch, launch by launch
    std::vector<double> clocks_mhz_;
    Event busy_[2];
    unsigned busy_turn_ = 0;
    std::uint64_t busy_index_ = 0;
};

}  // namespace bench
