#include "bench/run/command_line.hpp"

#include <fmt/format.h>

#include <span>

#include "bench/errors.hpp"
#include "bench/options/build_info.hpp"

namespace bench {

std::optional<Options> parse_together(World& world, int argc, const char* const* argv, const std::string& program,
                                      const Step& step) {
    const std::string version = fmt::format("{}\nMPI: {}", version_text(), mpi_library().value_or("none"));
    std::optional<Options> options;
    world.together([&] {
        if (world.first()) options = parse_command_line(argc, argv, program, version, step);
    });
    bool wants_run = options.has_value();
    world.broadcast(wants_run);
    if (!wants_run) {
        return std::nullopt;
    }
    world.together([&] {
        if (!world.first()) options = parse_command_line(argc, argv, program, version, step);
        if (!options) throw UsageError("--help and --version are for all ranks or none");
    });
    world.broadcast(options->list_devices);
    require_same_program(world, program);
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

}  // namespace bench
