// A measurement with progress line, checkpoint and response to signals.
#pragma once

#include <cstdint>
#include <functional>

#include "bench/measure/measurement.hpp"
#include "bench/run/plan.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Measures with a progress line. Starts from the checkpoint, if there is one, and saves there. `time_batch` adds its
/// launches to `tally`; those of the warm-up are discarded. `discard` is called after the warm-up and forgets its other
/// traces. A signal between timings ends the run as end_interrupted() does. Runs nothing if an earlier part did all
/// launches.
Measurement measure_with_progress(
    const Plan& plan, Tally& tally, const TimeBatch& time_batch, const std::function<void()>& discard,
    const SideBySide& side_by_side = [](unsigned) { return 1u; });

/// Ends a run that a signal interrupted. Throws Interrupted, with the exit code of the signal, or WriteError if its
/// checkpoint could not be saved. A pooled run that finished some `launches` of `all_launches` is judged and its
/// estimate printed first; throws VerdictError if the verdict fails.
[[noreturn]] void end_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches,
                                  std::uint64_t all_launches);

/// Throws VerdictError unless the tally holds exactly `launches` launches and passes its estimand's verdict.
void judge_all(const Tally& tally, std::uint64_t launches);

}  // namespace bench
