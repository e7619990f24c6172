// The record of a finished run: made, judged and written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/measurement.hpp"
#include "bench/plan.hpp"
#include "bench/record.hpp"
#include "bench/tally.hpp"

namespace bench {

/// The launches that were done before this part of the run; nothing of a run without an earlier part.
std::optional<std::uint64_t> resumed_from(const Plan& plan);

/// Warnings that a finished measurement calls for.
std::vector<std::string> warnings_of(const Plan& plan, const Measurement& measurement, const Tally& tally);

/// What every run records. What a GPU, a CPU or a team has besides is for the caller to add.
Run run_of(const Plan& plan, const Measurement& measurement, const Tally& tally);

/// Judges the run by its tally, then writes it: warnings to stderr, JSON where the options say, the report to stdout. Nothing is
/// written where the verdict fails, where a signal came since, or, which is a UsageError, where --max-time left too few
/// launches for an error estimate.
void publish(const Plan& plan, const Context& context, const Run& run);

}  // namespace bench
