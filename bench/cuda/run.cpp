// A whole run of a CUDA version.
#include "bench/run.hpp"

#include <fmt/format.h>

#include <bit>

#include "bench/cuda/device.hpp"
#include "bench/cuda/energy.hpp"
#include "bench/cuda/gpu_runner.hpp"
#include "bench/interrupt.hpp"
#include "bench/result_file.hpp"
#include "bench/session.hpp"

namespace bench {
namespace {

constexpr double low_clock = 0.75;  // of the maximum

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
            fmt::format("{}: {}. {}.\n{}\nGenerator: {} ({})", v.name, v.title, v.technique, v.lesson,
                        v.source->generator, soundness_text(v.source->soundness)),
            true, v.default_iters, default_shape_text(v)};
}

Subject subject(const Version& v) {
    return {v.name, v.title, v.technique, v.source->generator, v.source->soundness, v.source->expected, v.independent};
}

/// What a run works on, settled before anything is launched.
struct Job {
    const Version& version;
    const Options& options;
    Shape shape;
    unsigned iters;
    std::uint64_t samples_per_launch;
    Units units;
};

Job settle(const Version& version, const Options& options) {
    const Shape shape = resolve_shape(version, options.blocks, options.threads, options.device);
    const unsigned iters = options.iters.value_or(version.default_iters);
    const std::uint64_t samples = samples_of_launch(total_threads(shape), iters, version.most_samples);
    return {version, options, shape, iters, samples, units_of(version.independent, samples, version.counts(shape))};
}

std::string driver_text(const Nvml* nvml) {
    const auto version = nvml ? nvml->driver_version() : std::nullopt;
    return version.value_or(fmt::format("for CUDA {}", driver_cuda_version()));
}

Context context_of(const Job& job, const Nvml* nvml) {
    return {utc_now(),         build_info(),     host_facts(), device_facts(job.options.device),
            driver_text(nvml), runtime_version()};
}

std::optional<double> power_of(GpuRunner& runner, const Nvml* nvml, double launch_ms) {
    if (!nvml) {
        return std::nullopt;
    }
    const auto power = mean_power(*nvml, [&](const std::function<void()>& idle) {
        throw_if_interrupted();
        runner.keep_busy(launch_ms, idle);
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    return power;
}

void add_gpu_warnings(std::vector<std::string>& warnings, const GpuSide& gpu, const DeviceFacts& device,
                      bool wants_power) {
    if (gpu.sm_clock_mhz < low_clock * device.max_clock_mhz) {
        warnings.push_back(fmt::format("the SM clock was {:.0f} MHz, under {:.0f} % of the maximum of {:.0f} MHz",
                                       gpu.sm_clock_mhz, 100 * low_clock, device.max_clock_mhz));
    }
    if (wants_power && !gpu.power_w) {
        warnings.push_back("no power figures: NVML or its energy counter is not to be had for this GPU");
    }
}

void add_set_warning(std::vector<std::string>& warnings, const Job& job) {
    if (job.version.most_samples != 0 && !std::has_single_bit(job.samples_per_launch)) {
        warnings.push_back(fmt::format("{} points are no power of two, so less evenly spread", job.samples_per_launch));
    }
}

void profile(const Job& job) {
    const Subject what = subject(job.version);
    if (what.independent == Independent::counts) {
        require_enough_units("--profile", 1, what.independent, job.units);
    }
    Tally tally(job.samples_per_launch, job.units);
    GpuRunner runner(job.version, job.shape, job.iters, job.options.seed, [&](auto counts) { tally.add(counts); });
    runner.profile();
    throw_if_interrupted();
    const auto spread = tally.spread(what.expected);
    judge_so_far(what, tally.outcome(), spread);
    if (!job.options.quiet) {
        write_stdout(profile_text(what, tally.outcome(), spread));
    }
}

void benchmark(const std::string& program, const Job& job) {
    const Version& version = job.version;
    const Options& options = job.options;
    const Task task = {program, options, subject(version), job.samples_per_launch, job.units};
    Tally tally(job.samples_per_launch, job.units);
    GpuRunner runner(version, job.shape, job.iters, options.seed, [&](auto counts) { tally.add(counts); });
    const Measurement m = measure_with_progress(
        task, tally, [&](std::uint64_t first, unsigned launches) { return runner.time(first, launches); },
        [&] { runner.discard_clocks(); });

    // A pooled run is a fixed amount of work: no second of other launches for the power.
    const auto nvml = Nvml::open(options.device);
    const auto power = options.pooled() ? std::nullopt : power_of(runner, nvml.get(), summarize(m.ms).median);
    const KernelFacts kernel = kernel_facts(version, job.shape.threads, options.device);
    const auto setup_ms = version.setup ? std::optional(summarize(m.setup_ms).median) : std::nullopt;
    const GpuSide gpu = {job.shape.blocks,
                         kernel.registers,
                         kernel.shared_bytes,
                         kernel.occupancy,
                         setup_ms,
                         runner.sm_clock_mhz(),
                         power};
    const Context context = context_of(job, nvml.get());
    auto warnings = warnings_of(m);
    add_set_warning(warnings, job);
    add_gpu_warnings(warnings, gpu, *context.device, !options.pooled());
    publish(
        task, context,
        {task.subject, options.seed, job.shape.threads, job.iters, job.samples_per_launch, m.launches, m.batch, m.ms,
         tally.outcome(), trace_of(options, tally), tally.spread(task.subject.expected), gpu, std::nullopt, warnings});
}

}  // namespace

int run(int argc, const char* const* argv, const Version& version) {
    const ProgramFacts facts = program_facts(version);
    return guarded(facts.name, [&] {
        const auto options = parse_command_line(argc, argv, facts);
        if (!options) {
            return;
        }
        check_shape(version, options->blocks, options->threads);
        if (options->list_devices) {
            write_stdout(device_list());
            return;
        }
        if (!options->json.empty() && options->json != "-") {
            check_writable(options->json);
        }
        select_device(options->device);
        const Job job = settle(version, *options);
        if (options->profile) {
            profile(job);
        } else {
            benchmark(facts.name, job);
        }
    });
}

}  // namespace bench
