// Runs the phases of a launch, and times launches by the host's clock.
#pragma once

#include "bench/step.hpp"
#include "bench/workers/interval_clock.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/workspace.hpp"

namespace bench {

/// Enqueues or runs a phase.
void run_phase(const Phase& phase, const Launch& launch);

/// Enqueues and runs all phases of a launch, in order.
void run_phases(const Step& step, const Launch& launch);

/// Runs the launches of a share one after the other. Each is timed from its first action until its counts are in host memory,
/// without the pauses of its clock. `hand_over` is called after each, with its number.
BatchTime time_on_wall(const Step& step, Workspace& workspace, IntervalClock& clock, const Share& share,
                       const std::function<void(std::uint64_t index)>& hand_over);

}  // namespace bench
