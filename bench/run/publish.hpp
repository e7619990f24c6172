// Makes, judges and writes the record of a finished run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/measurement.hpp"
#include "bench/record/record.hpp"
#include "bench/run/plan.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Launches done by earlier parts of the run; empty if there were none.
std::optional<std::uint64_t> resumed_from(const Plan& plan);

/// Warnings about a finished measurement.
std::vector<std::string> warnings_of(const Plan& plan, const Measurement& measurement, const Tally& tally);

/// The part of the record that every run has. The backend adds the facts of GPU, CPU or team.
Run run_of(const Plan& plan, const Measurement& measurement, const Tally& tally);

/// Judges the run by its tally, then writes it: JSON and the estimand's files if the options ask for them, the report to
/// stdout, warnings to stderr. Writes nothing if the verdict fails, after a signal, or if --max-time left too few launches for an error
/// estimate (UsageError).
void publish(const Plan& plan, const Context& context, const Run& run);

}  // namespace bench
