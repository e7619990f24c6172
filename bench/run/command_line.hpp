// The command line of a run that may have several processes.
#pragma once

#include <optional>
#include <string>

#include "bench/options/options.hpp"
#include "bench/step.hpp"
#include "bench/workers/world.hpp"

namespace bench {

/// Reads the command line in every process; only rank 0 prints. After --help or --version every process returns
/// nothing. Throws UsageError if this process runs another program than rank 0.
std::optional<Options> parse_together(World& world, int argc, const char* const* argv, const std::string& program,
                                      const Step& step);

/// Throws UsageError if this process runs a different program than rank 0. Collective.
void require_same_program(World& world, const std::string& program);

}  // namespace bench
