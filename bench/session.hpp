// What a run on a GPU and a run on the CPU have in common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/cli.hpp"
#include "bench/errors.hpp"
#include "bench/measurement.hpp"
#include "bench/record.hpp"

namespace bench {

/// Runs `body`; an exception becomes its one line on stderr, behind `program`, and its exit code.
int guarded(const std::string& program, const std::function<void()>& body);

/// Samples of a launch of `streams` streams; throws UsageError beyond 2^63.
std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters);

/// The stopping rule that the options ask for. Throws UsageError if all launches together pass 2^63 samples.
StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch);

/// Measures with a progress line, and throws Interrupted on a signal between launches.
Measurement measure_with_progress(const Options& options, const std::string& name, std::uint64_t samples_per_launch,
                                  const TimeBatch& time_batch, const std::function<void()>& discard);

/// Warnings that a finished measurement calls for.
std::vector<std::string> warnings_of(const Measurement& measurement);

/// Judges the run, then writes it: warnings to stderr, JSON where the options say, the report to stdout. Nothing is
/// written where the verdict fails.
void publish(const std::string& program, const Options& options, const Context& context, const Run& run);

}  // namespace bench
