#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/host.hpp"
#include "bench/options/output.hpp"
#include "bench/options/own_options.hpp"
#include "bench/record/files.hpp"
#include "bench/run/plan.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/gpu/energy.hpp"
#include "bench/workers/launching.hpp"
#include "bench/workers/workspace.hpp"

namespace bench {
namespace {

/// The step as the own options among `options` make it, and what its name gains. Throws UsageError if a process cannot make it,
/// or makes another one of it than rank 0, as from another file. Collective.
std::string settle_together(World& world, const std::string& program, const Options& options, Step& step) {
    std::string suffix;
    world.together([&] { suffix = settle_own(options.own, step); });
    require_same_program(world, program + suffix);
    return suffix;
}

/// Throws UsageError if the options do not fit the step, or the launcher. Needs no GPU.
void check(const World& world, const Plan& plan) {
    const Options& options = plan.options;
    if (!is_on_cpu(plan.step)) {
        check_shape(plan.step, options.blocks, options.threads);
        check_iters(plan.step, options.iters);
    }
    if (options.whole_calls && world.announced()) {
        throw UsageError("--call: one process, not under MPI");
    }
    if (options.profile && world.size() > 1) {
        throw UsageError("--profile: one process at a time, not under MPI (a tool implies it without --no-profile)");
    }
}

/// Checks that the result can be written. With --resume, opens the file and takes the options from it that fix what launches
/// publish.
void begin(Plan& plan) {
    Options& options = plan.options;
    for (const std::string& target : {options.json, options.csv}) {
        if (!target.empty()) check_target(target);
    }
    plan.resumed = resume(plan.program, options);
}

/// Reads the files of --judge. Their launches are those of the first.
void settle_on_files(World& world, Plan& plan) {
    world.together([&] {
        if (world.size() > 1) throw UsageError("--judge: one process, not under MPI");
    });
    begin(plan);
    for (const std::string& path : plan.options.judge) plan.judged.push_back(read_stored(path, read_file(path)));
    take_over(plan.judged.front(), plan.program, plan.options);
    const LaunchSpec& spec = plan.judged.front().spec;
    plan.spec = spec_of(plan.step, spec.seed, spec.shape, spec.iters);
}

/// The devices that this process runs on.
std::vector<int> devices_of(const World& world, const Options& options) {
    const int count = device_count();
    if (world.announced()) {
        if (options.devices || (options.device_given && world.size() > 1)) {
            throw UsageError("--device and --devices: not under MPI, where each rank takes a GPU of its host");
        }
        return {options.device_given ? options.device : world.local_rank() % count};
    }
    if (!options.devices) return {options.device};
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

/// The cores that this process may use, and the number of processes that may use some of them, including this one.
struct Cores {
    unsigned usable;
    unsigned sharers;
};

/// Collective.
Cores cores_of(World& world) {
    const cpu_set_t& mine = cpus_at_start();
    const auto all = world.gather(mine);
    const auto host = [&](std::size_t rank) { return world.hosts()[rank]; };
    unsigned sharers = 0;
    for (std::size_t rank = 0; rank < all.size(); rank++) {
        cpu_set_t common;
        CPU_AND(&common, &mine, &all[rank]);
        const bool shares = host(rank) == host(static_cast<std::size_t>(world.rank())) && CPU_COUNT(&common) > 0;
        sharers += shares ? 1 : 0;
    }
    return {usable_cores(), sharers};
}

/// The user's number of threads, or a fair share of the cores.
unsigned threads_of(const Cores& cores, const Options& options, const OnCpu& cpu) {
    const unsigned share = std::max(1u, cores.usable / cores.sharers);
    const unsigned threads = options.threads.value_or(std::min(share, cpu.streams));
    if (const unsigned team = cpu.team_size(threads); team != threads) {
        throw UsageError(
            fmt::format("--threads: OpenMP gives {} of {} threads (is OMP_THREAD_LIMIT or OMP_MAX_ACTIVE_LEVELS set?)",
                        team, threads));
    }
    return threads;
}

/// The specification of launches on this grid. Throws UsageError if they are impossible, or need more memory than there is.
LaunchSpec settled_spec(const Step& step, const Options& options, Shape shape) {
    const LaunchSpec spec = spec_of(step, options.seed, shape, options.iters.value_or(step.default_iters));
    require_memory(step, spec, options.batch.value_or(1));
    return spec;
}

void settle_on_gpu(World& world, Plan& plan) {
    Uuid gpu = {};
    world.together([&] {
        check(world, plan);
        if (world.first()) begin(plan);
        plan.devices = devices_of(world, plan.options);
        select_device(plan.devices[0]);
        gpu = device_uuid(plan.devices[0]);
        if (world.first()) {
            const Options& options = plan.options;
            plan.spec = settled_spec(plan.step, options,
                                     resolve_shape(plan.step, options.blocks, options.threads, plan.devices[0]));
        }
    });
    world.broadcast(plan.spec);
    const int sharers = plan.options.profile ? 1 : most_on_one_gpu(world, gpu);
    world.together([&] {
        if (sharers > 1 && !plan.options.oversubscribe) {
            throw UsageError(
                fmt::format("more ranks than GPUs: {} would share one; --oversubscribe allows it", sharers));
        }
    });
    if (sharers > 1) {
        plan.crowd = Warning{"sharing", fmt::format("{} ranks share one GPU: the rate means nothing", sharers)};
    } else if (world.first()) {
        plan.crowd = sharing_warning(plan.devices);
    }
    plan.is_team = world.announced() || plan.options.devices;
    plan.workers = world.announced() ? static_cast<unsigned>(world.size()) : static_cast<unsigned>(plan.devices.size());
}

void settle_on_cpu(World& world, Plan& plan) {
    const Cores cores = cores_of(world);
    unsigned threads = 0;
    world.together([&] {
        check(world, plan);
        threads = threads_of(cores, plan.options, plan.step.cpu);
        if (world.first()) {
            begin(plan);
            plan.spec = settled_spec(plan.step, plan.options, {1, threads});
        }
    });
    world.broadcast(plan.spec);
    plan.spec.shape.threads = threads;
    if (cores.sharers > 1 && cores.sharers * threads > cores.usable) {
        plan.crowd = Warning{"sharing", fmt::format("{} ranks of {} threads share {} cores: the rate means nothing",
                                                    cores.sharers, threads, cores.usable)};
    } else if (const unsigned bound = cores_of_threads(); bound < std::min(threads, cores.usable)) {
        plan.crowd = Warning{"sharing", fmt::format("{} threads are bound to {} cores of the {} that they may use",
                                                    threads, bound, cores.usable)};
    }
    plan.is_team = world.announced();
    plan.workers = static_cast<unsigned>(world.size());
    if (plan.options.threads == 1u && world.size() == 1 && plan.step.cpu.serial_name) {
        plan.step.name = plan.step.cpu.serial_name;
        plan.step.technique = plan.step.cpu.serial_technique;
    }
}

}  // namespace

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

Plan settle(World& world, const std::string& program, const std::string& ladder, const Step& step,
            const Options& options) {
    Plan plan = {program, ladder, "", options, step, step, {}};
    const std::string suffix = settle_together(world, program, options, plan.step);
    plan.program += suffix;
    if (!options.judge.empty()) {
        settle_on_files(world, plan);
    } else {
        is_on_cpu(step) ? settle_on_cpu(world, plan) : settle_on_gpu(world, plan);
    }
    plan.version = plan.step.name + suffix;
    plan.launched = options.whole_calls ? whole_call_of(plan.step) : plan.step;
    return plan;
}

void list_devices(World& world, const std::string& program, const Step& step, const Options& options) {
    Step settled = step;
    settle_together(world, program, options, settled);
    world.together([&] {
        check_shape(settled, options.blocks, options.threads);
        check_iters(settled, options.iters);
        if (!world.first()) return;
        write_stdout(device_list());
        select_device(options.device);  // one that is listed may be in exclusive use
    });
}

}  // namespace bench
