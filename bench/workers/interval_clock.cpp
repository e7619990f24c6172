#include "bench/workers/interval_clock.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {

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
