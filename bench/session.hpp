// What a run on a GPU and a run on the CPU have in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/cli/errors.hpp"
#include "bench/cli/options.hpp"
#include "bench/estimands/tally.hpp"
#include "bench/keep/record.hpp"
#include "bench/keep/saver.hpp"
#include "bench/measure/measurement.hpp"

namespace bench {

/// One line on stderr, behind `program`.
void say(const std::string& program, const std::string& text);

/// Runs `body`; an exception becomes its one line on stderr, behind `program`, and its exit code.
int guarded(const std::string& program, const std::function<void()>& body);

/// Samples of a launch of `streams` streams; throws UsageError beyond 2^63, and beyond the points of a set of them, if there
/// is one.
std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters, std::uint64_t points_of_set = 0);

/// The stopping rule that the options ask for, with `gpus` times the work where that scales weakly. Throws UsageError if all
/// launches together pass 2^63 samples, or if so many as were asked for are too few for an error estimate.
StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch,
                           Independent independent = Independent::samples, unsigned gpus = 1);

/// Throws UsageError, naming `asked`, where so many launches are too few for an error estimate.
void require_enough_launches(const std::string& asked, std::uint64_t launches, Independent independent);

/// What a program is to do, once its options are settled.
struct Task {
    std::string program;  // "pi_v7", which speaks on stderr
    const Options& options;
    Subject subject;
    std::uint64_t samples_per_launch;
    unsigned gpus = 1;       // that share the launches; on the CPU, MPI ranks
    Saver* saver = nullptr;  // of a run with a checkpoint
};

/// Measures with a progress line, and goes on from the checkpoint if there is one, and saves there. `time_batch` adds its
/// launches to `tally`, from which those of the warm-up are discarded; `discard` forgets what else they left. A signal
/// between timings ends the run as end_interrupted does. No timing where all was done before.
Measurement measure_with_progress(
    const Task& task, Tally& tally, const TimeBatch& time_batch, const std::function<void()>& discard,
    const SideBySide& side_by_side = [](unsigned) { return 1u; });

/// Ends a run that a signal interrupted: throws Interrupted, with the exit code of the signal, or WriteError, where its
/// checkpoint could not be saved. Of a pooled run that finished `launches` of `all_launches`,
/// some, what they come to is judged and printed first; throws VerdictError where the verdict fails.
[[noreturn]] void end_interrupted(const Task& task, const Tally& tally, std::uint64_t launches,
                                  std::uint64_t all_launches);

/// Judges what an interrupted pooled run came to and prints it, where it came to anything. Throws VerdictError.
void tell_interrupted(const Task& task, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches);

/// Throws VerdictError unless the tally holds every one of so many launches, and passes judge().
void judge_all(const Tally& tally, std::uint64_t launches);

/// The trace of a pooled run; nothing of others.
std::optional<std::vector<Outcome>> trace_of(const Options& options, const Tally& tally);

/// The launches that were done before this part of the run; nothing of a run without an earlier part.
std::optional<std::uint64_t> resumed_from(const Task& task);

/// Warnings that a finished measurement of so many samples in all calls for.
std::vector<std::string> warnings_of(const Task& task, const Measurement& measurement, std::uint64_t samples);

/// What every run records. What a GPU, a CPU or a team has besides is for the caller to add.
Run run_of(const Task& task, std::uint64_t seed, unsigned threads, unsigned iters, const Measurement& measurement,
           const Tally& tally);

/// Judges the run by its tally, then writes it: warnings to stderr, JSON where the options say, the report to stdout. Nothing is
/// written where the verdict fails, where a signal came since, or, which is a UsageError, where --max-time left too few
/// launches for an error estimate.
void publish(const Task& task, const Context& context, const Run& run, const Tally& tally);

}  // namespace bench
