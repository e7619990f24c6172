// Runs a CUDA step.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bench/estimand.hpp"
#include "bench/measure/whole_call.hpp"
#include "bench/options/output.hpp"
#include "bench/options/program.hpp"
#include "bench/record/report.hpp"
#include "bench/record/result_file.hpp"
#include "bench/run/benchmark.hpp"
#include "bench/run/command_line.hpp"
#include "bench/run/gpus.hpp"
#include "bench/run/run.hpp"
#include "bench/run/session.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/gpu/gpu_worker.hpp"
#include "bench/workers/gpu/rehearse.hpp"
#include "bench/workers/gpu/workspace.hpp"
#include "bench/workers/ranks.hpp"
#include "bench/workers/threads.hpp"

namespace bench {
namespace {

std::string default_shape_text(const Step& v) {
    if (v.accepted_blocks == Blocks::one) {
        return "1";
    }
    if (v.default_blocks != 0) {
        return fmt::format("{} of {} threads", v.default_blocks, v.default_threads);
    }
    return v.default_blocks_per_sm == as_many_as_fit
               ? fmt::format("as many of {} threads as are resident at once", v.default_threads)
               : fmt::format("{} per multiprocessor, of {} threads", v.default_blocks_per_sm, v.default_threads);
}

/// Of --iters; none if a thread can only do one.
std::optional<unsigned> default_iters(const Step& s) {
    return s.estimand->iterations_are_free() && s.most_iters > 1 ? std::optional(s.default_iters) : std::nullopt;
}

ProgramFacts program_facts(const char* program, const Step& s) {
    return {.name = program,
            .version = version_of_program(),
            .units = s.estimand->unit().many,
            .iterations = s.estimand->iterations(),
            .work_is_known = s.estimand->work_is_known(),
            .precision = s.estimand->precision(),
            .description = fmt::format("{}: {}. {}.\n{}\n{}\nBuilds on: {}", s.name, s.title, s.technique, s.lesson,
                                       generator_line(*s.estimand), s.after ? s.after : "nothing"),
            .on_gpu = true,
            .default_iters = default_iters(s),
            .default_shape = default_shape_text(s),
            .own_options = s.own_options};
}

std::optional<Traffic> traffic_of(const Step& step) {
    const Traffic& moved = step.traffic;
    return moved.pcie_up + moved.pcie_down + moved.dram > 0 ? std::optional(moved) : std::nullopt;
}

Subject subject(const Program& program, const Step& step, const Options& options) {
    Subject subject = {.ladder = program.ladder,
                       .step = step.name + program.suffix,
                       .title = step.title,
                       .technique = step.technique,
                       .after = std::nullopt,
                       .phases = phase_names(step),
                       .clock = step.clock,
                       .traffic = traffic_of(step)};
    if (step.host_bytes != no_memory) subject.host_memory = step.host_memory;
    if (step.after) subject.after = step.after;
    return options.whole_calls ? of_whole_calls(subject) : subject;
}

Work settle(const Step& step, const Options& options, int device) {
    const Shape shape = resolve_shape(step, options.blocks, options.threads, device);
    Work work = {.seed = options.seed,
                 .shape = shape,
                 .iters = options.iters.value_or(step.default_iters),
                 .streams = total_threads(shape),
                 .counts = step.counts(shape)};
    work.per_launch = step.estimand->work_of_launch(work);
    require_memory(step, work, options.batch.value_or(1));
    return work;
}

void profile(const Program& program, const Step& step, const Options& options, const Work& work) {
    Tally tally(*step.estimand, work);
    GpuRunner runner(step, work, [&](auto counts) { tally.add(counts); });
    runner.profile();
    judge_all(tally, 1);
    if (!options.quiet) {
        write_stdout(profile_text(subject(program, step, options), tally, options.profiled_by));
    }
}

Plan plan_of(const Program& program, const Step& step, const Options& options, const Work& work) {
    const auto& [blocks, threads] = work.shape;
    return {name_of_run(program),
            options,
            subject(program, step, options),
            work,
            threads,
            {{"blocks", blocks}, {"threads", threads}, {"iters", work.iters}}};
}

/// The devices that this process runs on. Throws UsageError.
std::vector<int> devices_of(const World& world, const Options& options) {
    const int count = device_count();
    if (world.announced()) {
        if (options.devices || (options.device_given && world.size() > 1)) {
            throw UsageError("--device and --devices: not under MPI, where each rank takes a GPU of its host");
        }
        return {options.device_given ? options.device : world.local_rank() % count};
    }
    if (!options.devices) {
        return {options.device};
    }
    std::vector<int> devices = *options.devices;
    if (devices.empty()) {
        devices.resize(static_cast<std::size_t>(count));
        std::iota(devices.begin(), devices.end(), 0);
    }
    for (const int device : devices) {
        if (device >= count) {
            throw UsageError(
                fmt::format("--devices: there is no device {}; this machine has {}, numbered from 0", device, count));
        }
    }
    return devices;
}

/// Largest number of ranks on one GPU. Collective.
int most_on_one_gpu(World& world, const Uuid& mine) {
    int most = 0;
    const auto all = world.gather(mine);
    for (const Uuid& one : all) {
        most = std::max(most, static_cast<int>(std::count(all.begin(), all.end(), one)));
    }
    return most;
}

/// A worker for each device, all with the same launches.
/// @param rehearsed_blocks on the last device
std::vector<std::unique_ptr<Worker>> workers_on(const std::vector<int>& devices, const Step& step, const Work& work,
                                                std::optional<std::uint64_t>& rehearsed_blocks) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (const int device : devices) {
        try {
            select_device(device);
            resolve_shape(step, work.shape.blocks, work.shape.threads,
                          device);  // throws if the device does not accept the grid
            require_memory(step, work, 1);
            rehearsed_blocks = rehearse(step, work);
            workers.push_back(std::make_unique<GpuWorker>(device, step, work));
        } catch (const Error& error) {
            throw Error(error.code(), fmt::format("device {}: {}", device, error.what()));
        }
    }
    select_device(devices[0]);
    return workers;
}

void start(World& world, const Program& program, Options options, const Step& step) {
    std::optional<Resumed> resumed;
    std::vector<int> devices;
    Uuid gpu = {};
    Work work = {};
    world.together([&] {
        check_shape(step, options.blocks, options.threads);
        check_iters(step, options.iters);
        refuse_calls_of_ranks(world, options);
        if (options.profile && world.size() > 1) {
            const std::string implied =
                options.profiled_by.empty()
                    ? ""
                    : fmt::format(" (implied under {}; --no-profile switches it off)", options.profiled_by);
            throw UsageError("--profile: one process at a time, not under MPI" + implied);
        }
        if (world.first()) {
            resumed = begin(name_of_run(program), options,
                            {{"blocks", options.blocks}, {"threads", options.threads}, {"iters", options.iters}});
        }
        devices = devices_of(world, options);
        select_device(devices[0]);
        gpu = device_uuid(devices[0]);
        if (world.first()) {
            work = settle(step, options, devices[0]);
        }
    });
    if (options.profile) {
        return profile(program, step, options, work);
    }
    const int sharers = most_on_one_gpu(world, gpu);
    if (!world.announced() && !options.devices) {
        Tally tally(*step.estimand, work);
        const GpuRun run = {step, options, work, devices[0], sharers, rehearse(step, work)};
        const auto alone = options.whole_calls ? in_whole_calls(run, tally) : on_one_gpu(run, tally);
        return benchmark(plan_of(program, step, options, work), tally, *alone, std::move(resumed));
    }

    world.broadcast(work);
    Tally tally(*step.estimand, work);
    std::vector<std::unique_ptr<Worker>> workers;
    std::optional<std::uint64_t> rehearsed_blocks;
    world.together([&] {
        if (sharers > 1 && !options.oversubscribe) {
            throw UsageError(
                fmt::format("more ranks than GPUs: {} would share one; --oversubscribe allows it", sharers));
        }
        workers = workers_on(devices, step, work, rehearsed_blocks);
    });
    if (!world.first()) {
        return serve(world, *workers[0], tally);
    }
    auto team = world.announced() ? on_ranks(world, std::move(workers[0])) : on_threads(std::move(workers));
    const auto gpus = on_gpus({step, options, work, devices[0], sharers, rehearsed_blocks}, std::move(team), tally);
    benchmark(plan_of(program, step, options, work), tally, *gpus, std::move(resumed));
}

}  // namespace

int run(int argc, const char* const* argv, const char* program, const char* ladder, const Step& step) {
    return run_together(argc, argv, program_facts(program, step), [&](World& world, const Options& options) {
        const auto [wanted, suffix] = settled_together(world, program, step, options);
        if (!options.list_devices) {
            return start(world, {program, ladder, suffix}, options, wanted);
        }
        world.together([&, &wanted = wanted] {
            check_shape(wanted, options.blocks, options.threads);
            check_iters(wanted, options.iters);
            if (world.first()) write_stdout(device_list());
        });
    });
}

}  // namespace bench
