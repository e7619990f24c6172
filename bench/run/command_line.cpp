#include "bench/run/command_line.hpp"

#include <fmt/format.h>

#include <span>

#include "bench/errors.hpp"
#include "bench/options/build_info.hpp"
#include "bench/options/guarded.hpp"
#include "bench/options/interrupt.hpp"

namespace bench {

std::string version_of_program() { return fmt::format("{}\nMPI: {}", version_text(), mpi_library().value_or("none")); }

std::optional<Options> parse_together(World& world, int argc, const char* const* argv, const ProgramFacts& facts) {
    std::optional<Options> options;
    world.together([&] {
        if (world.first()) options = parse_command_line(argc, argv, facts);
    });
    bool wants_run = options.has_value();
    world.broadcast(wants_run);
    if (!wants_run) {
        return std::nullopt;
    }
    world.together([&] {
        if (!world.first()) options = parse_command_line(argc, argv, facts);
        if (!options) throw UsageError("--help and --version are for all ranks or none");
    });
    world.broadcast(options->list_devices);
    require_same_program(world, facts.name);
    return options;
}

void require_same_program(World& world, const std::string& program) {
    std::size_t length = program.size();
    world.broadcast(length);
    std::string first = program;
    first.resize(length);
    world.broadcast(std::span(first));
    world.together([&] {
        if (program != first) {
            throw UsageError(fmt::format("rank 0 runs {}: all ranks have to run the same program", first));
        }
    });
}

void refuse_calls_of_ranks(const World& world, const Options& options) {
    if (options.whole_calls && world.announced()) {
        throw UsageError("--call: one process, not under MPI");
    }
}

int run_together(int argc, const char* const* argv, const ProgramFacts& facts,
                 const std::function<void(World& world, const Options& options)>& body) {
    return guarded(facts.name, [&] {
        // A launcher ends the other ranks of one that failed by a signal: they have nothing to say.
        if (announced_world()) catch_interrupts();
        World world;
        world.as_one(facts.name, [&] {
            const auto options = parse_together(world, argc, argv, facts);
            if (options) body(world, *options);
        });
    });
}

}  // namespace bench
