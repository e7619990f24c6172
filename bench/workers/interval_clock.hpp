// Times the phases of launches that run on the wall clock.
#pragma once

#include <utility>
#include <vector>

#include "bench/measure/measurement.hpp"
#include "bench/step.hpp"
#include "bench/workers/resources.hpp"

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

}  // namespace bench
