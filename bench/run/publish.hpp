// Makes and writes the record of a finished run.
#pragma once

#include "bench/measure/measurement.hpp"
#include "bench/record/record.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/saver.hpp"
#include "bench/tally.hpp"
#include "bench/workers/team.hpp"

namespace bench {

/// The record of a run as far as it came. It has no rate and no outcome: its verdict is not known.
Record record_so_far(const Plan& plan, const Tally& tally, const Saver* saver, std::uint64_t goal);

/// The record of a finished measurement. Measures the power of GPUs, unless the run is short or of fixed work.
Record record_of(const Plan& plan, Team& team, const Measurement& measured, const Tally& tally, const Saver* saver);

/// Writes a run that passed its verdict: to its checkpoint, JSON and the estimand's files if the options ask for them, the report to
/// stdout, warnings to stderr.
void publish(const Plan& plan, const Record& run, Saver* saver);

}  // namespace bench
