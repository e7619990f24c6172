// A measurement with its progress, its checkpoint and its interruption.
#pragma once

#include <cstdint>
#include <functional>

#include "bench/measure/measurement.hpp"
#include "bench/plan.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Measures with a progress line, and goes on from the checkpoint if there is one, and saves there. `time_batch` adds its
/// launches to `tally`, from which those of the warm-up are discarded; `discard` forgets what else they left. A signal
/// between timings ends the run as end_interrupted does. No timing where all was done before.
Measurement measure_with_progress(
    const Plan& plan, Tally& tally, const TimeBatch& time_batch, const std::function<void()>& discard,
    const SideBySide& side_by_side = [](unsigned) { return 1u; });

/// Ends a run that a signal interrupted: throws Interrupted, with the exit code of the signal, or WriteError, where its
/// checkpoint could not be saved. Of a pooled run that finished `launches` of `all_launches`,
/// some, what they come to is judged and printed first; throws VerdictError where the verdict fails.
[[noreturn]] void end_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches,
                                  std::uint64_t all_launches);

/// Judges what an interrupted pooled run came to and prints it, where it came to anything. Throws VerdictError.
void tell_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches);

/// Throws VerdictError unless the tally holds every one of so many launches, and passes its estimand's verdict.
void judge_all(const Tally& tally, std::uint64_t launches);

}  // namespace bench
