// Settles a run: from the options of a program to the specification of its launches, and where they run.
#pragma once

#include <string>

#include "bench/run/plan.hpp"
#include "bench/workers/world.hpp"

namespace bench {

/// Makes the plan of a run, before anything is launched. The specification is that of rank 0. Collective. Throws UsageError,
/// NoGpuError and WriteError.
Plan settle(World& world, const std::string& program, const std::string& ladder, const Step& step,
            const Options& options);

/// Prints the CUDA devices, if the options fit the step. Collective.
void list_devices(World& world, const std::string& program, const Step& step, const Options& options);

}  // namespace bench
