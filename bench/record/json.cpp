#include "bench/record/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/estimand.hpp"
#include "bench/record/or_null.hpp"
#include "bench/workers/world.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 2;

/// Milliseconds, rounded to the picosecond: timers resolve no more.
double rounded(double ms) { return std::round(ms * 1e9) / 1e9; }

Json to_tenths(const std::optional<double>& value) {
    return value ? Json(std::round(*value * 10) / 10) : Json(nullptr);
}

Json times_json(const std::vector<double>& ms) {
    Json times = Json::array();
    for (const double time : ms) {
        times.push_back(rounded(time));
    }
    return times;
}

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

Json trace_json(const Run& run) {
    Json points = Json::array();
    for (const Sums& sums : run.tally.trace()) {
        points.push_back(run.tally.estimand().point(sums, run.tally.work()));
    }
    return points;
}

Json outcome_json(const Run& run) {
    Json outcome = run.tally.estimand().outcome(run.tally);
    outcome["trace"] = trace_json(run);
    return outcome;
}

Json host_memory_json(const std::optional<HostMemory>& memory) {
    return memory ? Json(*memory == HostMemory::pinned ? "pinned" : "pageable") : Json(nullptr);
}

/// Bytes moved for each unit of work; null for a step that moves none.
Json traffic_json(const std::optional<Traffic>& traffic) {
    if (!traffic) {
        return nullptr;
    }
    return {{"pcie_up", traffic->pcie_up}, {"pcie_down", traffic->pcie_down}, {"dram", traffic->dram}};
}

/// The times of each phase, if there are several.
Json phases_json(const Run& run) {
    Json phases = Json::object();
    if (run.subject.phases.size() > 1) {
        for (std::size_t i = 0; i < run.subject.phases.size(); i++) {
            phases[run.subject.phases[i]] = times_json(times_of_phase(run, i));
        }
    }
    return phases;
}

void add_gpu_side(Json& json, const Run& run) {
    const GpuSide& gpu = *run.gpu;
    json["registers"] = gpu.kernel ? Json(gpu.kernel->registers) : Json(nullptr);
    json["shared_bytes"] = gpu.kernel ? Json(gpu.kernel->shared_bytes) : Json(nullptr);
    json["occupancy"] = gpu.kernel ? Json(gpu.kernel->occupancy) : Json(nullptr);
    json["sm_clock_mhz"] = to_tenths(gpu.sm_clock_mhz);
    json["power_w"] = to_tenths(gpu.power_w);
    json["per_joule"] = or_null(per_joule(run));
    json["rehearsed_blocks"] = or_null(gpu.rehearsed_blocks);
}

void add_cpu_side(Json& json, const CpuSide& cpu) {
    for (const char* absent :
         {"registers", "shared_bytes", "occupancy", "sm_clock_mhz", "power_w", "per_joule", "rehearsed_blocks"}) {
        json[absent] = nullptr;
    }
    json["streams"] = cpu.streams;
    json["isa"] = cpu.isa;
}

/// Null if nothing was timed.
Json rate_json(const Run& run) {
    if (run.kernel_ms.empty()) {
        return nullptr;
    }
    const Summary rate = per_ns(run);
    return {{"median", rate.median}, {"low", rate.low}, {"high", rate.high}, {"min", rate.min}, {"max", rate.max}};
}

Json member_json(const TeamMember& member, const Run& run) {
    return {{"rank", or_null(member.facts.rank)},
            {"host", member.facts.host},
            {"device", or_null(member.facts.worker.device)},
            {"name", member.facts.worker.name},
            {"launches", member.launches},
            {"per_ns", or_null(per_ns(member, run))},
            {"sm_clock_mhz", to_tenths(member.sm_clock_mhz)},
            {"power_w", to_tenths(member.power_w)}};
}

/// The hosts of a team, each once.
std::vector<std::string> hosts_of(const TeamReport& report) {
    std::vector<std::string> hosts;
    for (const TeamMember& member : report.members) {
        if (std::find(hosts.begin(), hosts.end(), member.facts.host) == hosts.end()) {
            hosts.push_back(member.facts.host);
        }
    }
    return hosts;
}

Json team_json(const TeamSide& team, const Run& run) {
    Json members = Json::array();
    for (const TeamMember& member : team.report.members) {
        members.push_back(member_json(member, run));
    }
    const bool ranks = team.report.members.front().facts.rank.has_value();
    return {{"kind", ranks ? "mpi" : "devices"},
            {"scaling", team.scaling == Scaling::weak ? "weak" : "strong"},
            {"size", team.report.members.size()},
            {"mpi", or_null(ranks ? mpi_library() : std::nullopt)},
            {"hosts", hosts_of(team.report)},
            {"wall_ms", times_json(team.report.wall_ms)},
            {"members", members}};
}

bool is_believed(Soundness soundness) {
    return soundness != Soundness::demonstration && soundness != Soundness::not_tested;
}

/// Mean work per launch: an integer if it is one.
Json work_json(const Run& run) {
    const std::uint64_t work = run.tally.work_done(), launches = run.tally.launches();
    return work % launches == 0 ? Json(work / launches) : Json(work_per_launch(run));
}

/// Work per launch of each timing; null if the work of all launches is the same and known.
Json work_of_timings_json(const Run& run) {
    return run.tally.estimand().work_is_known() ? Json(nullptr) : Json(run.work);
}

Json run_json(const Run& run) {
    const Work& work = run.tally.work();
    const Estimand& estimand = run.tally.estimand();
    Json json = {{"version", run.subject.step},
                 {"after", or_null(run.subject.after)},
                 {"title", run.subject.title},
                 {"technique", run.subject.technique},
                 {"problem", estimand.problem()},
                 {"generator", estimand.generator()},
                 {"sound", is_believed(estimand.soundness())},
                 {"soundness", soundness_text(estimand.soundness())},
                 {"seed", work.seed},
                 {"blocks", run.gpu ? Json(run.gpu->blocks) : Json(nullptr)},
                 {"threads", run.threads},
                 {"iters", work.iters},
                 {"work", work_json(run)},
                 {"work_of_timings", work_of_timings_json(run)},
                 {"launches", run.launches},
                 {"batch", run.batch},
                 {"clock", run.subject.clock == Clock::gpu ? "gpu" : "wall"},
                 {"call", run.whole_calls},
                 {"kernel_ms", times_json(run.kernel_ms)},
                 {"phases_ms", phases_json(run)},
                 {"host_memory", host_memory_json(run.subject.host_memory)},
                 {"bytes", traffic_json(run.subject.traffic)},
                 {"per_ns", rate_json(run)},
                 {"effective_per_ns", or_null(effective_per_ns(run))},
                 {"outcome", outcome_json(run)}};
    if (run.gpu) {
        add_gpu_side(json, run);
    } else {
        add_cpu_side(json, *run.cpu);
    }
    json["team"] = run.team ? team_json(*run.team, run) : Json(nullptr);
    json["resumed_from"] = or_null(run.resumed_from);
    json["warnings"] = run.warnings;
    return json;
}

}  // namespace

std::string to_json(const Context& context, const Run& run) {
    const Json document = {{"schema", schema},
                           {"suite", run.subject.ladder},
                           {"unit", run.tally.estimand().unit().one},
                           {"context", context_json(context)},
                           {"runs", Json::array({run_json(run)})}};
    return document.dump(1) + "\n";
}

std::string to_json(const Context& context) { return context_json(context).dump(); }

}  // namespace bench
