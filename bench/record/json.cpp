#include "bench/record/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/estimand.hpp"
#include "bench/workers/world.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 3;

// Why a measurement ended, in the order of Progress.
constexpr const char* stopped[] = {"more", "precise", "done", "out_of_reach", "out_of_time", "few_timings"};

/// Milliseconds, rounded to the picosecond: timers resolve no more.
double rounded(double ms) { return std::round(ms * 1e9) / 1e9; }

Json to_tenths(const std::optional<double>& value) {
    return value ? Json(std::round(*value * 10) / 10) : Json(nullptr);
}

Json to_thousandths(double value) { return std::round(value * 1e3) / 1e3; }

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

Json trace_json(const Record& run) {
    Json points = Json::array();
    for (const Sums& sums : run.tally.trace()) {
        points.push_back(run.tally.estimand().point(sums, run.tally.spec()));
    }
    return points;
}

/// Null of a run that goes on.
Json outcome_json(const Record& run) {
    if (run.measured.progress == Progress::more) {
        return nullptr;
    }
    Json outcome = run.tally.estimand().outcome(run.tally);
    outcome["trace"] = trace_json(run);
    return outcome;
}

/// Null for a step without arrays on the host.
Json host_memory_json(const Step& step) {
    if (step.arrays.host_bytes == no_memory) {
        return nullptr;
    }
    return step.arrays.pinned ? "pinned" : "pageable";
}

/// Bytes moved for each unit of work; null for a step that moves none.
Json bytes_json(const Arrays& moved) {
    if (moved.pcie_up + moved.pcie_down + moved.dram == 0) {
        return nullptr;
    }
    return {{"pcie_up", moved.pcie_up}, {"pcie_down", moved.pcie_down}, {"dram", moved.dram}};
}

/// The times of each phase, if there are several.
Json phases_json(const Record& run) {
    Json phases = Json::object();
    const unsigned n = phases_of(run.launched);
    for (unsigned i = 0; n > 1 && i < n; i++) {
        phases[run.launched.phases[i].name] = times_json(times_of_phase(run, i));
    }
    return phases;
}

/// Null where NVML does not tell it.
Json throttle_json(const std::optional<Throttle>& throttle) {
    if (!throttle) {
        return nullptr;
    }
    return {{"timings", throttle->timings}, {"power", throttle->power},
            {"thermal", throttle->thermal}, {"sync_boost", throttle->sync_boost},
            {"other", throttle->other},     {"min_c", throttle->min_c},
            {"max_c", throttle->max_c}};
}

/// What only GPUs have; null on the CPU.
void add_gpu(Json& json, const Record& run) {
    json["registers"] = run.kernel ? Json(run.kernel->registers) : Json(nullptr);
    json["shared_bytes"] = run.kernel ? Json(run.kernel->shared_bytes) : Json(nullptr);
    json["occupancy"] = run.kernel ? Json(run.kernel->occupancy) : Json(nullptr);
    json["sm_clock_mhz"] = to_tenths(sm_clock_mhz(run));
    json["throttle"] = throttle_json(throttle(run));
    json["power_w"] = to_tenths(power_w(run));
    json["per_joule"] = or_null(per_joule(run));
}

/// Null without a launch.
Json compared_json(const Compared& compared) {
    if (compared.launches == 0) {
        return nullptr;
    }
    Json json = {
        {"launches", compared.launches}, {"parts", compared.parts}, {"of", compared.of}, {"work", compared.work}};
    if (compared.vertices > 0) json["vertices"] = compared.vertices;
    return json;
}

/// Null if the host cannot replay the step.
Json rehearsal_json(const std::optional<Rehearsed>& rehearsed) {
    if (!rehearsed) {
        return nullptr;
    }
    return {{"brief", compared_json(rehearsed->brief)},
            {"full", compared_json(rehearsed->full)},
            {"seconds", to_thousandths(rehearsed->seconds)}};
}

/// Of all workers; null likewise, and if nothing was timed.
Json audit_json(const Record& run) {
    const Audit all = audit(run);
    if (!run.rehearsed || all.timed == 0) {
        return nullptr;
    }
    Json entropy = Json::array();
    for (const Audit& own : run.audits) entropy.push_back(fmt::format("{:016x}", own.entropy));
    return {{"timed", all.timed},
            {"full", compared_json(all.full)},
            {"brief", compared_json(all.brief)},
            {"part_seconds", to_thousandths(all.part_seconds)},
            {"entropy", entropy},
            {"seconds", to_thousandths(all.seconds)}};
}

void add_cpu(Json& json, const OnCpu& cpu) {
    json["streams"] = cpu.streams;
    json["isa"] = cpu.isa();
}

/// Null if nothing was timed.
Json rate_json(const Record& run) {
    if (run.measured.ms.empty()) {
        return nullptr;
    }
    const Summary rate = per_ns(run);
    return {{"median", rate.median}, {"low", rate.low}, {"high", rate.high},
            {"min", rate.min},       {"max", rate.max}, {"total", total_per_ns(run)}};
}

/// Null unless the work was fixed.
Json by_wall_json(const Record& run) {
    const auto wall = by_wall(run);
    return wall ? Json{{"per_ns", wall->per_ns}, {"seconds", wall->seconds}, {"share", wall->share}} : Json(nullptr);
}

Json member_json(const Member& member, const Record& run) {
    return {{"rank", or_null(member.rank)},
            {"host", member.host},
            {"device", or_null(member.device)},
            {"name", member.name},
            {"launches", member.launches},
            {"per_ns", or_null(per_ns(member, run))},
            {"sm_clock_mhz", to_tenths(member.sm_clock_mhz)},
            {"throttle", throttle_json(member.throttle)},
            {"power_w", to_tenths(member.power_w)}};
}

/// The hosts of a team, each once.
std::vector<std::string> hosts_of(const std::vector<Member>& members) {
    std::vector<std::string> hosts;
    for (const Member& member : members) {
        if (std::find(hosts.begin(), hosts.end(), member.host) == hosts.end()) {
            hosts.push_back(member.host);
        }
    }
    return hosts;
}

/// Null of a worker that did not share.
Json team_json(const Record& run) {
    if (!run.scaling) {
        return nullptr;
    }
    Json members = Json::array();
    for (const Member& member : run.members) {
        members.push_back(member_json(member, run));
    }
    const bool ranks = run.members.front().rank.has_value();
    return {{"kind", ranks ? "mpi" : "devices"},
            {"scaling", *run.scaling == Scaling::weak ? "weak" : "strong"},
            {"size", run.members.size()},
            {"mpi", or_null(ranks ? mpi_library() : std::nullopt)},
            {"hosts", hosts_of(run.members)},
            {"wall_ms", times_json(run.wall_ms)},
            {"members", members}};
}

bool is_believed(Soundness soundness) {
    return soundness != Soundness::demonstration && soundness != Soundness::not_tested;
}

/// Mean work per launch: an integer if it is one. Before the first launch, what one should do.
Json work_json(const Record& run) {
    const std::uint64_t work = run.tally.work_done(), launches = run.tally.launches();
    if (launches == 0) return run.tally.spec().work;
    return work % launches == 0 ? Json(work / launches) : Json(work_per_launch(run));
}

/// Work per launch of each timing; null if the work of all launches is the same and known.
Json work_of_timings_json(const Record& run) {
    return run.tally.estimand().work_is_known() ? Json(nullptr) : Json(run.measured.work);
}

Json warnings_json(const std::vector<Warning>& warnings) {
    Json list = Json::array();
    for (const Warning& warning : warnings) list.push_back({{"kind", warning.kind}, {"text", warning.text}});
    return list;
}

Json run_json(const Record& run) {
    const LaunchSpec& spec = run.tally.spec();
    const Estimand& estimand = run.tally.estimand();
    const bool on_cpu = is_on_cpu(run.step);
    Json json = {{"version", run.version},
                 {"after", run.step.after ? Json(run.step.after) : Json(nullptr)},
                 {"title", run.step.title},
                 {"technique", run.step.technique},
                 {"problem", estimand.problem()},
                 {"generator", estimand.generator()},
                 {"sound", is_believed(estimand.soundness())},
                 {"soundness", text_of(estimand.soundness())},
                 {"seed", spec.seed},
                 {"blocks", on_cpu ? Json(nullptr) : Json(spec.shape.blocks)},
                 {"threads", spec.shape.threads},
                 {"iters", spec.iters},
                 {"work", work_json(run)},
                 {"work_of_timings", work_of_timings_json(run)},
                 {"launches", run.launches},
                 {"batch", run.measured.batch},
                 {"stopped", stopped[static_cast<int>(run.measured.progress)]},
                 {"clock", clock_of(run.launched) == Clock::gpu ? "gpu" : "wall"},
                 {"call", run.whole_calls},
                 {"kernel_ms", times_json(run.measured.ms)},
                 {"phases_ms", phases_json(run)},
                 {"host_memory", host_memory_json(run.step)},
                 {"bytes", bytes_json(run.step.arrays)},
                 {"per_ns", rate_json(run)},
                 {"by_wall", by_wall_json(run)},
                 {"effective_per_ns", or_null(effective_per_ns(run))},
                 {"outcome", outcome_json(run)}};
    add_gpu(json, run);
    if (on_cpu) add_cpu(json, run.step.cpu);
    json["rehearsal"] = rehearsal_json(run.rehearsed);
    json["audit"] = audit_json(run);
    json["team"] = team_json(run);
    json["resumed_from"] = or_null(run.resumed_from);
    json["warnings"] = warnings_json(run.warnings);
    return json;
}

}  // namespace

nlohmann::ordered_json document_of(const Record& run) {
    return {{"schema", schema},
            {"suite", run.ladder},
            {"unit", run.tally.estimand().unit().one},
            {"context", to_json(run.context)},
            {"runs", Json::array({run_json(run)})}};
}

std::string as_text(const Json& document, int indent) {
    return document.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

std::string to_json(const Record& run) { return as_text(document_of(run), 1) + "\n"; }

Json to_json(const Context& context) {
    return {{"date", context.date},
            {"commit", context.build.commit},
            {"dirty", context.build.dirty},
            {"device", context.device ? device_json(*context.device) : Json(nullptr)},
            {"host",
             {{"cpu", context.host.cpu},
              {"cores", context.host.cores},
              {"machine_cores", context.host.machine_cores},
              {"os", context.host.os}}},
            {"driver", or_null(context.driver)},
            {"runtime", or_null(context.runtime)},
            {"compiler", context.build.compiler},
            {"flags", context.build.flags}};
}

}  // namespace bench
