#include "bench/run/run.hpp"

#include <fmt/format.h>

#include <optional>

#include "bench/options/build_info.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/report.hpp"
#include "bench/run/plan.hpp"

namespace bench {
namespace {

/// Reads the command line in every process; only rank 0 prints. After --help or --version every process returns
/// nothing. Throws UsageError if this process runs another program than rank 0.
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

/// Runs one launch for a profiler, judges it and reports.
void profile(const Plan& plan) {
    Tally tally(*plan.step.estimand, plan.spec);
    profile(plan.devices[0], plan.launched, plan.spec, [&](std::span<const Count> counts) { tally.add(counts); });
    judge_all(tally, 1);
    if (!plan.options.quiet) {
        write_stdout(profile_text(plan.version, plan.step, tally, plan.options.profiled_by));
    }
}

void run_launches(World& world, Plan& plan) {
    auto workers = rehearsed_workers(world, plan);
    Tally tally(*plan.step.estimand, plan.spec);
    if (!world.first()) {
        return serve(world, *workers[0], tally);
    }
    Team team = team_of(world, plan, std::move(workers));
    catch_interrupts();
    const auto saver = saver_of(plan, tally);
    const Measurement measured = measure(plan, team, tally, saver.get());
    if (wants_power(plan)) team.measure_power(summarize(measured.ms).median * team.size());
    const Record record = record_of(plan, team, measured, tally, saver.get());
    judge(plan, record, saver.get());
    publish(plan, record, saver.get());
}

}  // namespace

int run(int argc, const char* const* argv, const char* program, const char* ladder, const Step& step) {
    return guarded(program, [&] {
        // A launcher ends the other ranks of one that failed by a signal: they have nothing to say.
        if (announced_world()) catch_interrupts();
        World world;
        world.as_one(program, [&] {
            const auto options = parse_together(world, argc, argv, program, step);
            if (!options) return;
            if (options->list_devices) return list_devices(world, program, step, *options);
            Plan plan = settle(world, program, ladder, step, *options);
            if (!plan.judged.empty()) return judge_stored(plan);
            plan.options.profile ? profile(plan) : run_launches(world, plan);
        });
    });
}

}  // namespace bench
