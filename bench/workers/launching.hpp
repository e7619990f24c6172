// Runs the phases of a launch, and times launches by the host's clock: also whole calls, as a user's function would make them.
#pragma once

#include <utility>
#include <vector>

#include "bench/measure/measurement.hpp"
#include "bench/step.hpp"
#include "bench/workers/resources.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/workspace.hpp"

namespace bench {

/// Adds up the intervals of each phase: by events on streams, by the steady clock on the host.
class IntervalClock : public PhaseClock {
 public:
    void begin(unsigned phase, cudaStream_t stream) override;
    void end(unsigned phase, cudaStream_t stream) override;
    void begin_on_host(unsigned phase) override;
    void end_on_host(unsigned phase) override;
    void pause() override;
    void resume() override;

    /// Time of each phase since the last call. All streams are idle.
    PhaseTimes take();

    /// Milliseconds of pauses since the last call.
    double take_pauses();

 private:
    struct Interval {
        unsigned phase = 0;
        Event begin, end;
    };

    std::vector<Interval> intervals_;  // reused: the events stay
    std::size_t used_ = 0;
    std::vector<std::pair<cudaStream_t, std::size_t>> open_;  // the interval that is open on a stream
    PhaseTimes on_host_ms_ = {};
    double host_start_ = 0, pause_start_ = 0;
    double pauses_ms_ = 0;
};

/// Enqueues or runs a phase.
void run_phase(const Phase& phase, const Launch& launch);

/// Enqueues and runs all phases of a launch, in order.
void run_phases(const Step& step, const Launch& launch);

/// Runs the launches of a share one after the other. Each is timed from its first action until its counts are in host memory,
/// without the pauses of its clock. `hand_over` is called after each, with its number.
BatchTime time_on_wall(const Step& step, Workspace& workspace, IntervalClock& clock, const Share& share,
                       const std::function<void(std::uint64_t index)>& hand_over);

/// The step whose launches are whole calls of `step`. Each of these is a phase, by the wall clock: alloc, run, copy, sum, free.
Step whole_call_of(const Step& step);

}  // namespace bench
