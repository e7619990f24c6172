// The command line of a run that may have several processes.
#pragma once

#include <functional>
#include <optional>

#include "bench/options/options.hpp"
#include "bench/options/own_options.hpp"
#include "bench/workers/world.hpp"

namespace bench {

/// Calls parse_command_line in every process; only rank 0 prints. After --help or --version every process returns
/// nothing.
std::optional<Options> parse_together(World& world, int argc, const char* const* argv, const ProgramFacts& facts);

/// What --version prints after the name of a program: suite version, commit, compiler, MPI.
std::string version_of_program();

/// Throws UsageError if this process runs a different program than rank 0. Collective.
void require_same_program(World& world, const std::string& program);

/// The program's step as the own options among `options` make it, which every process does. Throws UsageError if a process
/// cannot, or if it makes another one of it than rank 0, as from another file. Collective.
template <typename AnyStep>
Settled<AnyStep> settled_together(World& world, const std::string& program, const AnyStep& step,
                                  const Options& options) {
    Settled<AnyStep> result = {step, ""};
    world.together([&] { result = settled(step, options.own); });
    require_same_program(world, program + result.suffix);
    return result;
}

/// Throws UsageError if whole calls were asked for under a launcher.
void refuse_calls_of_ranks(const World& world, const Options& options);

/// Runs a program in every process: forms the world, reads the command line and calls `body`, except after --help or
/// --version. Returns the exit code, as guarded() does.
int run_together(int argc, const char* const* argv, const ProgramFacts& facts,
                 const std::function<void(World& world, const Options& options)>& body);

}  // namespace bench
