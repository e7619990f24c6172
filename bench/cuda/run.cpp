// A whole run of a CUDA version.
#include "bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/benchmark.hpp"
#include "bench/cli/interrupt.hpp"
#include "bench/cuda/device.hpp"
#include "bench/cuda/gpu_worker.hpp"
#include "bench/cuda/gpus.hpp"
#include "bench/keep/result_file.hpp"
#include "bench/session.hpp"
#include "bench/team/command_line.hpp"
#include "bench/team/ranks.hpp"
#include "bench/team/threads.hpp"
#include "bench/tell/report.hpp"

namespace bench {
namespace {

std::string default_shape_text(const Version& v) {
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

ProgramFacts program_facts(const Version& v) {
    return {fmt::format("pi_{}", v.name),
            fmt::format("{}: {}. {}.\n{}\nGenerator: {} ({})\nBuilds on: {}", v.name, v.title, v.technique, v.lesson,
                        v.source->generator, soundness_text(v.source->soundness), v.after ? v.after : "nothing"),
            true, v.default_iters, default_shape_text(v)};
}

Subject subject(const Version& v, const Work& work) {
    const bool share_a_cycle = v.source->soundness == Soundness::demonstration && !v.source->lagged;
    return {v.name,
            v.title,
            v.technique,
            v.source->generator,
            v.source->soundness,
            law_of(v, work.iters),
            share_a_cycle ? std::exp2(v.source->log2_cycle_samples) : INFINITY,
            v.after ? std::optional<std::string>(v.after) : std::nullopt};
}

Work settle(const Version& version, const Options& options, int device) {
    const Shape shape = resolve_shape(version, options.blocks, options.threads, device);
    const unsigned iters = options.iters.value_or(version.default_iters);
    const std::uint64_t samples = samples_of_launch(total_threads(shape), iters, version.most_samples);
    return {options.seed, shape, iters, samples, units_of(version.independent, samples, version.counts(shape))};
}

Tally tally_of(const Version& version, const Work& work) {
    return Tally(law_of(version, work.iters), work.samples_per_launch, work.units);
}

void profile(const Version& version, const Options& options, const Work& work) {
    Tally tally = tally_of(version, work);
    GpuRunner runner(version, work.shape, work.iters, work.seed, [&](auto counts) { tally.add(counts); });
    runner.profile();
    throw_if_interrupted();
    judge_all(tally, 1);
    if (!options.quiet) {
        write_stdout(profile_text(subject(version, work), tally.outcome(), tally.spread(), options.profiled_by));
    }
}

Plan plan_of(const std::string& program, const Version& version, const Options& options, const Work& work) {
    const auto& [blocks, threads] = work.shape;
    return {program, options, subject(version, work),
            work,    threads, {{"blocks", blocks}, {"threads", threads}, {"iters", work.iters}}};
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

/// The most ranks that have the same GPU. Collective.
int most_on_one_gpu(World& world, const Uuid& mine) {
    int most = 0;
    const auto all = world.gather(mine);
    for (const Uuid& one : all) {
        most = std::max(most, static_cast<int>(std::count(all.begin(), all.end(), one)));
    }
    return most;
}

/// A worker for each device, all with the launches of the first.
std::vector<std::unique_ptr<Worker>> workers_on(const std::vector<int>& devices, const Version& version,
                                                const Work& work) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (const int device : devices) {
        try {
            select_device(device);
            resolve_shape(version, work.shape.blocks, work.shape.threads, device);  // throws where it does not take it
            workers.push_back(std::make_unique<GpuWorker>(device, version, work.shape, work.iters, work.seed));
        } catch (const Error& error) {
            throw Error(error.code(), fmt::format("device {}: {}", device, error.what()));
        }
    }
    select_device(devices[0]);
    return workers;
}

void start(World& world, const std::string& program, Options options, const Version& version) {
    std::optional<Resumed> resumed;
    std::vector<int> devices;
    Uuid gpu = {};
    Work work = {};
    world.together([&] {
        check_shape(version, options.blocks, options.threads);
        if (options.profile && world.size() > 1) {
            const std::string implied =
                options.profiled_by.empty()
                    ? ""
                    : fmt::format(" (implied under {}; --no-profile switches it off)", options.profiled_by);
            throw UsageError("--profile: one process at a time, not under MPI" + implied);
        }
        if (world.first()) {
            resumed = begin(program, options,
                            {{"blocks", options.blocks}, {"threads", options.threads}, {"iters", options.iters}});
        }
        devices = devices_of(world, options);
        select_device(devices[0]);
        gpu = device_uuid(devices[0]);
        if (world.first()) {
            work = settle(version, options, devices[0]);
        }
    });
    if (options.profile) {
        return profile(version, options, work);
    }
    const int sharers = most_on_one_gpu(world, gpu);
    Tally tally = tally_of(version, work);
    if (!world.announced() && !options.devices) {
        const auto alone = on_one_gpu({version, options, work, devices[0], sharers}, tally);
        return benchmark(plan_of(program, version, options, work), tally, *alone, std::move(resumed));
    }

    world.broadcast(work);
    tally = tally_of(version, work);
    std::vector<std::unique_ptr<Worker>> workers;
    world.together([&] {
        if (sharers > 1 && !options.oversubscribe) {
            throw UsageError(
                fmt::format("more ranks than GPUs: {} would share one; --oversubscribe lets them", sharers));
        }
        workers = workers_on(devices, version, work);
    });
    if (!world.first()) {
        return serve(world, *workers[0], tally);
    }
    auto team = world.announced() ? on_ranks(world, std::move(workers[0])) : on_threads(std::move(workers));
    const auto gpus = on_gpus({version, options, work, devices[0], sharers}, std::move(team), tally);
    benchmark(plan_of(program, version, options, work), tally, *gpus, std::move(resumed));
}

}  // namespace

int run(int argc, const char* const* argv, const Version& version) {
    const ProgramFacts facts = program_facts(version);
    return run_together(argc, argv, facts, [&](World& world, const Options& options) {
        if (!options.list_devices) {
            return start(world, facts.name, options, version);
        }
        world.together([&] {
            check_shape(version, options.blocks, options.threads);
            if (world.first()) write_stdout(device_list());
        });
    });
}

}  // namespace bench
