// A whole run of a CUDA version.
#include "bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "bench/clock_warning.hpp"
#include "bench/cuda/device.hpp"
#include "bench/cuda/energy.hpp"
#include "bench/cuda/gpu_worker.hpp"
#include "bench/cuda/site.hpp"
#include "bench/interrupt.hpp"
#include "bench/result_file.hpp"
#include "bench/session.hpp"
#include "bench/team/command_line.hpp"
#include "bench/team/ranks.hpp"
#include "bench/team/threads.hpp"
#include "bench/tool.hpp"

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

Subject subject(const Version& v, const Job& job) {
    const bool share_a_cycle = v.source->soundness == Soundness::demonstration && !v.source->lagged;
    return {v.name,
            v.title,
            v.technique,
            v.source->generator,
            v.source->soundness,
            law_of(v, job.iters),
            share_a_cycle ? std::exp2(v.source->log2_cycle_samples) : INFINITY,
            v.after ? std::optional<std::string>(v.after) : std::nullopt};
}

Job settle(const Version& version, const Options& options, int device) {
    const Shape shape = resolve_shape(version, options.blocks, options.threads, device);
    const unsigned iters = options.iters.value_or(version.default_iters);
    const std::uint64_t samples = samples_of_launch(total_threads(shape), iters, version.most_samples);
    return {shape, iters, options.seed, samples, units_of(version.independent, samples, version.counts(shape))};
}

std::string driver_text(const Nvml* nvml) {
    const auto version = nvml ? nvml->driver_version() : std::nullopt;
    return version.value_or(fmt::format("for CUDA {}", driver_cuda_version()));
}

Context context_of(int device) {
    const auto nvml = Nvml::open(device);
    return {utc_now(), build_info(), host_facts(), device_facts(device), driver_text(nvml.get()), runtime_version()};
}

void add_gpu_warnings(std::vector<std::string>& warnings, const GpuLoad& load, const DeviceFacts& device,
                      bool wants_power, int sharers) {
    const auto clocks =
        load.team ? clocks_of(*load.team) : std::vector{GpuClock{"", load.clock_mhz, device.max_clock_mhz}};
    if (const auto warning = low_clock_warning(clocks)) {
        warnings.push_back(*warning);
    }
    if (const auto tool = slowing_tool()) {
        warnings.push_back(fmt::format("launches take longer under {}: the rate means nothing", *tool));
    }
    if (sharers > 1) {
        warnings.push_back(fmt::format("{} ranks share one GPU: the rate means nothing", sharers));
    }
    if (wants_power && !load.power_w) {
        warnings.push_back("no power figures: NVML reports no energy for this GPU");
    }
}

void add_set_warning(std::vector<std::string>& warnings, const Version& version, std::uint64_t samples_per_launch) {
    if (version.most_samples != 0 && !std::has_single_bit(samples_per_launch)) {
        warnings.push_back(
            fmt::format("{} points are not a power of two, and so less evenly spread", samples_per_launch));
    }
}

Tally tally_of(const Version& version, const Job& job) {
    return Tally(law_of(version, job.iters), job.samples_per_launch, job.units);
}

void profile(const Version& version, const Options& options, const Job& job) {
    Tally tally = tally_of(version, job);
    GpuRunner runner(version, job.shape, job.iters, job.seed, [&](auto counts) { tally.add(counts); });
    runner.profile();
    throw_if_interrupted();
    judge_all(tally, 1);
    if (!options.quiet) {
        write_stdout(profile_text(subject(version, job), tally.outcome(), tally.spread(), options.profiled_by));
    }
}

/// The checkpoint of a run before its first launch.
Checkpoint checkpoint_of(const std::string& program, const Job& job, std::uint64_t launches) {
    return {program,
            "",
            false,
            job.seed,
            {{"blocks", job.shape.blocks}, {"threads", job.shape.threads}, {"iters", job.iters}},
            job.samples_per_launch,
            launches,
            0,
            {}};
}

/// A run, settled before anything is launched.
struct Settled {
    const std::string& program;
    const Version& version;
    const Options& options;
    const Job& job;
    int device;   // the first
    int sharers;  // ranks that have the same GPU, where most do
};

/// Measures, and publishes what came of it.
void benchmark(const Settled& settled, Tally& tally, Site& site, std::optional<Resumed> resumed) {
    const auto& [program, version, options, job, device, sharers] = settled;
    const auto rule = stopping_rule(options, job.samples_per_launch, version.independent, site.gpus());
    const auto saver = saver_of(options, std::move(resumed), checkpoint_of(program, job, rule.launches.value_or(0)),
                                [&](const std::string& text) { say(program, "warning: " + text); });
    const Task task = {program, options, subject(version, job), job.samples_per_launch, site.gpus(), saver.get()};
    const Measurement m = measure_with_progress(
        task, tally, [&](std::uint64_t first, unsigned launches) { return site.time(first, launches); },
        [&] { site.end_warm_up(); }, [&](unsigned most) { return site.side_by_side(most); });

    // A pooled run is a fixed amount of work: no second of other launches for the power.
    const GpuLoad load = site.load(options.pooled() ? std::nullopt : std::optional(summarize(m.ms).median));
    const KernelFacts kernel = kernel_facts(version, job.shape.threads, device);
    const bool has_setup = version.setup && !m.setup_ms.empty();
    const auto setup_ms = has_setup ? std::optional(summarize(m.setup_ms).median) : std::nullopt;
    const GpuSide gpu = {job.shape.blocks, kernel.registers, kernel.shared_bytes, kernel.occupancy,
                         setup_ms,         load.clock_mhz,   load.power_w};
    const Context context = context_of(device);
    Run run = run_of(task, job.seed, job.shape.threads, job.iters, m, tally);
    run.gpu = gpu;
    add_set_warning(run.warnings, version, job.samples_per_launch);
    add_gpu_warnings(run.warnings, load, *context.device, !options.pooled(), sharers);
    if (load.team) {
        run.team = TeamSide{options.scaling, *load.team};
    }
    publish(task, context, run, tally);
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
                                                const Job& job) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (const int device : devices) {
        try {
            select_device(device);
            resolve_shape(version, job.shape.blocks, job.shape.threads, device);  // throws where it does not take it
            workers.push_back(std::make_unique<GpuWorker>(device, version, job.shape, job.iters, job.seed));
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
    Job job = {};
    world.together([&] {
        check_shape(version, options.blocks, options.threads);
        if (options.profile && world.size() > 1) {
            const std::string implied =
                options.profiled_by.empty()
                    ? ""
                    : fmt::format(" (implied under {}; --no-profile switches it off)", options.profiled_by);
            throw UsageError("--profile: one process at a time, not under MPI" + implied);
        }
        if (world.first() && !options.json.empty() && options.json != "-") {
            check_writable(options.json);
        }
        if (world.first() && (resumed = resume(program, options))) {
            take_over(*resumed, options, "blocks", options.blocks);
            take_over(*resumed, options, "threads", options.threads);
            take_over(*resumed, options, "iters", options.iters);
        }
        devices = devices_of(world, options);
        select_device(devices[0]);
        gpu = device_uuid(devices[0]);
        if (world.first()) {
            job = settle(version, options, devices[0]);
        }
    });
    if (options.profile) {
        return profile(version, options, job);
    }
    const int sharers = most_on_one_gpu(world, gpu);
    const Settled settled = {program, version, options, job, devices[0], sharers};
    Tally tally = tally_of(version, job);
    if (!world.announced() && !options.devices) {
        const auto site = on_one_gpu(version, job, devices[0], tally);
        return benchmark(settled, tally, *site, std::move(resumed));
    }

    world.broadcast(job);
    tally = tally_of(version, job);
    std::vector<std::unique_ptr<Worker>> workers;
    world.together([&] {
        if (sharers > 1 && !options.oversubscribe) {
            throw UsageError(
                fmt::format("more ranks than GPUs: {} would share one; --oversubscribe lets them", sharers));
        }
        workers = workers_on(devices, version, job);
    });
    if (!world.first()) {
        return serve(world, *workers[0], tally);
    }
    const auto site =
        on_gpus(world.announced() ? on_ranks(world, std::move(workers[0])) : on_threads(std::move(workers)), tally);
    benchmark(settled, tally, *site, std::move(resumed));
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
