#include "bench/record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/estimate.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Milliseconds to the picosecond: what a timer does not resolve need not be stored.
double rounded(double ms) { return std::round(ms * 1e9) / 1e9; }

Json device_json(const DeviceFacts& device) {
    return {{"name", device.name},
            {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
            {"multiprocessors", device.multiprocessors},
            {"max_clock_mhz", std::lround(device.max_clock_mhz)},
            {"memory_gib", std::round(device.memory_gib * 10) / 10},
            {"ecc", device.ecc}};
}

Json context_json(const Context& context) {
    return {{"date", context.date},
            {"commit", context.build.commit},
            {"dirty", context.build.dirty},
            {"device", context.device ? device_json(*context.device) : Json(nullptr)},
            {"host", {{"cpu", context.host.cpu}, {"cores", context.host.cores}, {"os", context.host.os}}},
            {"driver", or_null(context.driver)},
            {"runtime", or_null(context.runtime)},
            {"compiler", context.build.compiler},
            {"flags", context.build.flags}};
}

std::optional<double> samples_per_joule(const Run& run) {
    if (!run.gpu || !run.gpu->power_w) {
        return std::nullopt;
    }
    return samples_per_ns(run).median * 1e9 / *run.gpu->power_w;
}

void add_gpu_side(Json& json, const Run& run) {
    const GpuSide& gpu = *run.gpu;
    json["registers"] = gpu.registers;
    json["shared_bytes"] = gpu.shared_bytes;
    json["occupancy"] = gpu.occupancy;
    json["sm_clock_mhz"] = std::round(gpu.sm_clock_mhz * 10) / 10;
    json["power_w"] = gpu.power_w ? Json(std::round(*gpu.power_w * 10) / 10) : Json(nullptr);
    json["samples_per_joule"] = or_null(samples_per_joule(run));
}

void add_cpu_side(Json& json, const CpuSide& cpu) {
    for (const char* absent :
         {"registers", "shared_bytes", "occupancy", "sm_clock_mhz", "power_w", "samples_per_joule"}) {
        json[absent] = nullptr;
    }
    json["streams"] = cpu.streams;
    json["isa"] = cpu.isa;
}

Json trace_json(const std::vector<Outcome>& trace) {
    Json points = Json::array();
    for (const Outcome& outcome : trace) {
        points.push_back(Json::array({outcome.samples, outcome.hits}));
    }
    return points;
}

Json run_json(const Run& run) {
    Json kernel_ms = Json::array();
    for (const double ms : run.kernel_ms) {
        kernel_ms.push_back(rounded(ms));
    }
    const Summary rate = samples_per_ns(run);
    Json json = {
        {"version", run.subject.version},
        {"title", run.subject.title},
        {"technique", run.subject.technique},
        {"generator", run.subject.generator},
        {"sound", run.subject.soundness != Soundness::demonstration},
        {"soundness", soundness_text(run.subject.soundness)},
        {"seed", run.seed},
        {"expected", {{"count", run.subject.expected.count}, {"total", run.subject.expected.total}}},
        {"blocks", run.gpu ? Json(run.gpu->blocks) : Json(nullptr)},
        {"threads", run.threads},
        {"iters", run.iters},
        {"samples_per_launch", run.samples_per_launch},
        {"launches", run.launches},
        {"batch", run.batch},
        {"kernel_ms", kernel_ms},
        {"setup_ms", run.gpu && run.gpu->setup_ms ? Json(rounded(*run.gpu->setup_ms)) : Json(nullptr)},
        {"samples_per_ns",
         {{"median", rate.median}, {"low", rate.low}, {"high", rate.high}, {"min", rate.min}, {"max", rate.max}}},
        {"hits", run.outcome.hits},
        {"samples", run.outcome.samples},
        {"pi", estimate(run.outcome)},
        {"pi_sd", estimate_sd(run.outcome, run.subject.expected)},
        {"bias", bias(run.subject.expected)},
        {"sigma", sigma(run.outcome, run.subject.expected)},
        {"trace", run.trace ? trace_json(*run.trace) : Json(nullptr)}};
    if (run.gpu) {
        add_gpu_side(json, run);
    } else {
        add_cpu_side(json, *run.cpu);
    }
    json["warnings"] = run.warnings;
    return json;
}

std::string line(const std::string& label, const std::string& text) { return fmt::format("  {:<10}{}\n", label, text); }

std::string gpu_lines(const DeviceFacts& device, const Run& run) {
    const GpuSide& gpu = *run.gpu;
    std::string text = line("device", fmt::format("{}, {} multiprocessors, compute capability {}.{}", device.name,
                                                  device.multiprocessors, device.major, device.minor)) +
                       line("grid", fmt::format("{} blocks of {} threads, {} samples per thread", grouped(gpu.blocks),
                                                run.threads, grouped(run.iters))) +
                       line("resources", fmt::format("{} registers, {} bytes of shared memory, occupancy {:.0f} %",
                                                     gpu.registers, gpu.shared_bytes, 100 * gpu.occupancy)) +
                       line("clock", fmt::format("{:.0f} MHz of {:.0f}", gpu.sm_clock_mhz, device.max_clock_mhz));
    if (gpu.setup_ms) {
        text += line("set-up", fmt::format("{:.4g} ms of each launch", *gpu.setup_ms));
    }
    if (gpu.power_w) {
        text += line("power", fmt::format("{:.0f} W, {:.3g} samples per joule", *gpu.power_w, *samples_per_joule(run)));
    }
    return text;
}

std::string cpu_lines(const HostFacts& host, const Run& run) {
    return line("host",
                fmt::format("{}, {} threads on {} cores, {}", host.cpu, run.threads, host.cores, run.cpu->isa)) +
           line("streams", fmt::format("{} of {} samples each", grouped(run.cpu->streams), grouped(run.iters)));
}

std::string origin_text(const Subject& subject, const Outcome& outcome) {
    return fmt::format("from {} samples, {:+.2f} sd from its expectation", grouped(outcome.samples),
                       sigma(outcome, subject.expected));
}

std::string estimate_line(const Subject& subject, const Outcome& outcome) {
    return line("pi", fmt::format("{:.9f} {}", estimate(outcome), origin_text(subject, outcome)));
}

std::string pooled_estimate_line(const Subject& subject, const Outcome& outcome) {
    const double sd = estimate_sd(outcome, subject.expected);
    const bool doubtful = subject.soundness == Soundness::demonstration && sd > 0;
    return line("pi", fmt::format("{:.9f} +- {:.2g} (1 sd{}) {}", estimate(outcome), sd,
                                  doubtful ? " of independent samples, which its generator does not quite give" : "",
                                  origin_text(subject, outcome)));
}

std::string believed_text(const Subject& subject, const Outcome& outcome) {
    const double bound = error_bound(outcome, subject.expected);
    const std::string reason = fmt::format("bias and two sd come to {:.2g}", bound);
    const auto decimals = believed_decimals(bound);
    return decimals ? fmt::format("{:.{}f} ({}; right to +-1 in the last digit)", estimate(outcome), *decimals, reason)
                    : fmt::format("no digit ({})", reason);
}

std::string pooled_lines(const Subject& subject, const Outcome& outcome) {
    return pooled_estimate_line(subject, outcome) +
           line("bias",
                fmt::format("{:+.3g} known, of its coordinates and generator (4P - pi)", bias(subject.expected))) +
           line("believed", believed_text(subject, outcome));
}

}  // namespace

const char* soundness_text(Soundness soundness) {
    switch (soundness) {
        case Soundness::sound:
            return "sound";
        case Soundness::sound_in_24_bits:
            return "sound for 24-bit coordinates";
        case Soundness::demonstration:
            break;
    }
    return "demonstration only";
}

std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
        digits.insert(static_cast<std::size_t>(i), 1, ',');
    }
    return digits;
}

Summary samples_per_ns(const Run& run) {
    const Summary ms = summarize(run.kernel_ms);
    const auto rate = [&](double launch_ms) { return static_cast<double>(run.samples_per_launch) / (launch_ms * 1e6); };
    return {rate(ms.median), rate(ms.high), rate(ms.low), rate(ms.max), rate(ms.min), ms.interval_is_95};
}

std::string to_json(const Context& context, const Run& run) {
    const Json document = {{"schema", schema},
                           {"suite", "pi"},
                           {"context", context_json(context)},
                           {"runs", Json::array({run_json(run)})}};
    return document.dump(1) + "\n";
}

std::string to_json(const Context& context) { return context_json(context).dump(); }

std::string to_text(const Context& context, const Run& run) {
    const Summary ms = summarize(run.kernel_ms);
    const Summary rate = samples_per_ns(run);
    return fmt::format("{}  {}: {}\n", run.subject.version, run.subject.title, run.subject.technique) +
           (run.gpu ? gpu_lines(*context.device, run) : cpu_lines(context.host, run)) +
           line("launches", fmt::format("{} of {} samples, {:.5g} ms each{}, seed {}", run.launches,
                                        grouped(run.samples_per_launch), ms.median,
                                        run.batch > 1 ? fmt::format(" (timed {} at once)", run.batch) : "", run.seed)) +
           (run.trace ? pooled_lines(run.subject, run.outcome) : estimate_line(run.subject, run.outcome)) +
           line("rate",
                fmt::format("{:.5g} samples/ns, {} [{:.5g}, {:.5g}]", rate.median,
                            rate.interval_is_95 ? "95 % interval of the median" : "range", rate.low, rate.high));
}

std::string profile_text(const Subject& subject, const Outcome& outcome) {
    return fmt::format("{}  {}: one launch for a profiler, not timed\n", subject.version, subject.title) +
           estimate_line(subject, outcome);
}

std::string interrupted_text(const Subject& subject, const Outcome& outcome, std::uint64_t launches,
                             std::uint64_t all_launches) {
    return fmt::format("{}  {}: interrupted after {} of {} launches\n", subject.version, subject.title,
                       grouped(launches), grouped(all_launches)) +
           pooled_lines(subject, outcome);
}

}  // namespace bench
