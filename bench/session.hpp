// What a run on a GPU and a run on the CPU have in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/cli.hpp"
#include "bench/errors.hpp"
#include "bench/measurement.hpp"
#include "bench/record.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Runs `body`; an exception becomes its one line on stderr, behind `program`, and its exit code.
int guarded(const std::string& program, const std::function<void()>& body);

/// Samples of a launch of `streams` streams; throws UsageError beyond 2^63.
std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters);

/// The stopping rule that the options ask for. Throws UsageError if all launches together pass 2^63 samples.
StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch);

/// What a program is to do, once its options are settled.
struct Task {
    std::string program;  // "pi_v7", which speaks on stderr
    const Options& options;
    Subject subject;
    std::uint64_t samples_per_launch;
};

/// Measures with a progress line. `time_batch` adds its launches to `tally`, from which those of the warm-up are
/// discarded; `discard` forgets what else they left. A signal between timings ends the run as end_interrupted does.
Measurement measure_with_progress(const Task& task, Tally& tally, const TimeBatch& time_batch,
                                  const std::function<void()>& discard);

/// Ends a run that a signal interrupted: throws Interrupted. Of a pooled run that finished `launches` of `all_launches`,
/// some, what they come to is judged and printed first; throws VerdictError where the verdict fails.
[[noreturn]] void end_interrupted(const Task& task, const Outcome& outcome, std::uint64_t launches,
                                  std::uint64_t all_launches);

/// The trace of a pooled run; nothing of others.
std::optional<std::vector<Outcome>> trace_of(const Options& options, const Tally& tally);

/// Warnings that a finished measurement calls for.
std::vector<std::string> warnings_of(const Measurement& measurement);

/// Judges the run, then writes it: warnings to stderr, JSON where the options say, the report to stdout. Nothing is
/// written where the verdict fails, or where a signal came since.
void publish(const Task& task, const Context& context, const Run& run);

}  // namespace bench
