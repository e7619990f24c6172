#include "bench/workers/launching.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {
namespace {

void run_clocked(const Step& step, const Launch& launch, IntervalClock& clock) {
    for (unsigned i = 0; i < phases_of(step); i++) {
        const Phase& phase = step.phases[i];
        if (phase.on == On::stream && phase.run) clock.begin(i, launch.stream);
        if (phase.on == On::host) {
            synchronize(launch);
            clock.begin_on_host(i);
        }
        run_phase(phase, launch);
        if (phase.on == On::stream && phase.run) clock.end(i, launch.stream);
        if (phase.on == On::host) clock.end_on_host(i);
    }
    synchronize(launch);
}

}  // namespace

void run_phase(const Phase& phase, const Launch& launch) {
    if (!phase.run) return;  // an earlier one does its work
    if (phase.on == On::host) synchronize(launch);
    CUDA_CHECK(phase.run(launch));
}

void run_phases(const Step& step, const Launch& launch) {
    for (unsigned i = 0; i < phases_of(step); i++) run_phase(step.phases[i], launch);
}

BatchTime time_on_wall(const Step& step, Workspace& workspace, IntervalClock& clock, const Share& share,
                       const std::function<void(std::uint64_t index)>& hand_over) {
    BatchTime all;
    for (std::uint64_t index = share.first; index < share.first + share.launches; index++) {
        workspace.poison(1);
        Launch launch = workspace.launch(index);
        launch.phase_clock = &clock;
        synchronize(launch);
        const double start = monotonic_seconds();
        run_clocked(step, launch, clock);
        const double ms = (monotonic_seconds() - start) * 1e3 - clock.take_pauses();
        const PhaseTimes phases = clock.take();
        all += {ms, phases_of(step) > 1 ? phases : PhaseTimes{}};
        hand_over(index);
    }
    return all;
}

void IntervalClock::begin(unsigned phase, cudaStream_t stream) {
    if (used_ == intervals_.size()) intervals_.emplace_back();
    intervals_[used_].phase = phase;
    intervals_[used_].begin.record(stream);
    open_.emplace_back(stream, used_++);
}

void IntervalClock::end(unsigned phase, cudaStream_t stream) {
    const auto found = std::find_if(open_.begin(), open_.end(), [&](const auto& open) { return open.first == stream; });
    if (found == open_.end() || intervals_[found->second].phase != phase) {
        throw std::logic_error("a phase ends on a stream on which it did not begin");
    }
    intervals_[found->second].end.record(stream);
    open_.erase(found);
}

void IntervalClock::begin_on_host(unsigned) { host_start_ = monotonic_seconds(); }

void IntervalClock::end_on_host(unsigned phase) { on_host_ms_[phase] += (monotonic_seconds() - host_start_) * 1e3; }

void IntervalClock::pause() { pause_start_ = monotonic_seconds(); }

void IntervalClock::resume() { pauses_ms_ += (monotonic_seconds() - pause_start_) * 1e3; }

double IntervalClock::take_pauses() { return std::exchange(pauses_ms_, 0); }

PhaseTimes IntervalClock::take() {
    PhaseTimes ms = std::exchange(on_host_ms_, PhaseTimes{});
    for (std::size_t i = 0; i < used_; i++) {
        ms[intervals_[i].phase] += intervals_[i].end.ms_since(intervals_[i].begin);
    }
    used_ = 0;
    return ms;
}

}  // namespace bench
