// The verdict on a run, also on one that a signal ends early, and on the sum of stored runs.
#pragma once

#include <cstdint>

#include "bench/record/record.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/saver.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Throws VerdictError unless the tally holds this number of launches. No record is saved of a tally that does not: the
/// next part of the run would begin with another launch than it should.
void require_counted(const Tally& tally, std::uint64_t launches);

/// Throws VerdictError unless the tally holds exactly `launches` launches and passes its estimand's verdict.
void judge_all(const Tally& tally, std::uint64_t launches);

/// The verdict on a finished run. Throws VerdictError, UsageError if --max-time left too few launches for an error estimate, and
/// after a signal as end_interrupted().
void judge(const Plan& plan, const Record& run, const Saver* saver);

/// Ends a run that a signal interrupted. Throws Interrupted, with the exit code of the signal, or WriteError if its
/// record could not be saved. A pooled run that finished some `launches` of `all_launches` is judged and its
/// estimate printed first; throws VerdictError if the verdict fails.
[[noreturn]] void end_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches,
                                  std::uint64_t all_launches, const Saver* saver);

/// Runs one launch for a profiler, judges it and reports.
void profile(const Plan& plan);

/// Adds the runs in the files of --judge and publishes their sum. Throws UsageError unless they are launches of one seed and
/// shape, and each launch is in one of them; VerdictError if the sum, or one of them that is long enough, fails its verdict.
void judge_stored(const Plan& plan);

}  // namespace bench
