// The command line of a run that may have several processes.
#pragma once

#include <functional>
#include <optional>

#include "bench/cli/options.hpp"
#include "bench/team/world.hpp"

namespace bench {

/// As parse_command_line, in every process; rank 0 alone prints. Nothing, in all, where --help or --version was asked for.
std::optional<Options> parse_together(World& world, int argc, const char* const* argv, const ProgramFacts& facts);

/// Throws UsageError where this process runs another program than rank 0. Collective.
void require_same_program(World& world, const std::string& program);

/// A whole run of a program, in every process: forms the world, reads the command line and calls `body` unless --help or
/// --version was asked for. Returns the exit code, as guarded() does.
int run_together(int argc, const char* const* argv, const ProgramFacts& facts,
                 const std::function<void(World& world, const Options& options)>& body);

}  // namespace bench
