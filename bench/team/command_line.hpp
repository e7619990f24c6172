// The command line of a run that may have several processes.
#pragma once

#include <optional>

#include "bench/cli.hpp"
#include "bench/team/world.hpp"

namespace bench {

/// As parse_command_line, in every process; rank 0 alone prints. Nothing, in all, where --help or --version was asked for.
std::optional<Options> parse_together(World& world, int argc, const char* const* argv, const ProgramFacts& facts);

/// Throws UsageError where this process runs another program than rank 0. Collective.
void require_same_program(World& world, const std::string& program);

}  // namespace bench
