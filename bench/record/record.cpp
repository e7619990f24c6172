#include "bench/record/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "bench/workers/gpu/energy.hpp"

namespace bench {
namespace {

void add(Compared& all, const Compared& own) {
    if (own.launches == 0) return;
    all = {all.launches + own.launches, all.parts + own.parts, own.of, own.work, own.vertices};
}

}  // namespace

std::vector<double> times_of_phase(const Record& run, std::size_t phase) {
    std::vector<double> times;
    for (const PhaseTimes& ms : run.measured.phases_ms) times.push_back(ms[phase]);
    return times;
}

double other_ms(const Record& run) {
    std::vector<double> ms;
    for (std::size_t i = 0; i < run.measured.ms.size(); i++) {
        const PhaseTimes& phases = run.measured.phases_ms[i];
        ms.push_back(run.measured.ms[i] - std::accumulate(phases.begin(), phases.end(), 0.0));
    }
    const auto middle = ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2);
    std::nth_element(ms.begin(), middle, ms.end());
    return *middle;
}

double work_per_launch(const Record& run) {
    const std::uint64_t work = run.tally.work_done(), launches = run.tally.launches();
    return work % launches == 0 ? static_cast<double>(work / launches)
                                : static_cast<double>(work) / static_cast<double>(launches);
}

Summary per_ns(const Record& run) { return rates(run.measured.ms, run.measured.work); }

double total_per_ns(const Record& run) {
    if (run.measured.ms.empty()) throw std::invalid_argument("nothing was timed");
    return run.measured.timed_work / (run.measured.timed_ms * 1e6);
}

std::optional<ByWall> by_wall(const Record& run) {
    const Measurement& m = run.measured;
    if (run.occasion != Occasion::pooled || m.ms.empty()) {
        return std::nullopt;
    }
    return ByWall{m.timed_work / (m.elapsed_seconds * 1e9), m.elapsed_seconds, m.timed_ms / 1e3 / m.elapsed_seconds};
}

std::optional<double> effective_per_ns(const Record& run) {
    if (run.measured.ms.empty()) {
        return std::nullopt;
    }
    const auto ratio = run.tally.estimand().variance_ratio(run.tally);
    return ratio ? std::optional(per_ns(run).median / ratio->value) : std::nullopt;
}

std::optional<double> per_ns(const Member& member, const Record& run) {
    if (!member.launches_per_ms) {
        return std::nullopt;
    }
    return *member.launches_per_ms * work_per_launch(run) / 1e6;
}

Audit audit(const Record& run) {
    Audit all;
    for (const Audit& own : run.audits) {
        all.timed += own.timed;
        add(all.full, own.full);
        add(all.brief, own.brief);
        all.part_seconds = std::max(all.part_seconds, own.part_seconds);
        all.seconds += own.seconds;
    }
    return all;
}

std::optional<double> sm_clock_mhz(const Record& run) {
    std::vector<double> clocks;
    for (const Member& member : run.members) {
        if (member.sm_clock_mhz) clocks.push_back(*member.sm_clock_mhz);
    }
    return clocks.empty() ? std::nullopt : std::optional(summarize(clocks).median);
}

std::optional<Throttle> throttle(const Record& run) {
    std::optional<Throttle> all;
    for (const Member& member : run.members) add(all, member.throttle);
    return all;
}

std::optional<double> power_w(const Record& run) {
    double all = 0;
    for (const Member& member : run.members) {
        if (!member.power_w) return std::nullopt;
        all += *member.power_w;
    }
    return run.members.empty() ? std::nullopt : std::optional(all);
}

std::optional<double> per_joule(const Record& run) {
    const auto power = power_w(run);
    const bool works_on_host = clock_of(run.launched) == Clock::wall;  // its power is not known
    if (!power || works_on_host || run.measured.ms.empty()) {
        return std::nullopt;
    }
    return per_ns(run).median * 1e9 / *power;
}

Context gpu_context(int device) {
    Context context = cpu_context();
    const auto nvml = Nvml::open(device);
    const auto version = nvml ? nvml->driver_version() : std::nullopt;
    context.device = device_facts(device);
    context.driver = version.value_or(fmt::format("for CUDA {}", driver_cuda_version()));
    context.runtime = runtime_version();
    return context;
}

Context cpu_context() { return {utc_now(), build_info(), host_facts(), std::nullopt, std::nullopt, std::nullopt}; }

}  // namespace bench
