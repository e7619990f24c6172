// A measurement with progress line, checkpoint and response to signals.
#pragma once

#include <memory>

#include "bench/measure/measurement.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/saver.hpp"
#include "bench/tally.hpp"
#include "bench/workers/team.hpp"

namespace bench {

/// What saves the run, from its first launch or from where the resumed run stands; null without a checkpoint. Takes
/// Plan::resumed. Throws UsageError if that cannot lead to the goal, and warns if another program may have begun it.
std::unique_ptr<Saver> saver_of(Plan& plan, const Tally& tally);

/// Measures with a progress line. Starts from the checkpoint, if there is one, and saves there. The team adds its
/// launches to `tally`; those of the warm-up are discarded. A signal between timings ends the run as end_interrupted() does.
/// Runs nothing if an earlier part did all launches.
Measurement measure(const Plan& plan, Team& team, Tally& tally, Saver* saver);

}  // namespace bench
