#include "bench/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/estimate.hpp"
#include "bench/team/world.hpp"
#include "bench/verdict.hpp"

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

std::optional<double> samples_per_joule(const Run& run) {
    if (!run.gpu || !run.gpu->power_w || run.kernel_ms.empty()) {
        return std::nullopt;
    }
    return samples_per_ns(run).median * 1e9 / *run.gpu->power_w;
}

const char* text_of(Independent independent) {
    switch (independent) {
        case Independent::samples:
            return "samples";
        case Independent::counts:
            return plural(Unit::block);
        case Independent::launches:
            break;
    }
    return plural(Unit::launch);
}

Json spread_json(const Spread& spread, const Law& law) {
    const bool is_known = law.independent != Independent::launches;
    return {{"ratio", spread.variance_ratio},
            {"sd", spread.sd},
            {"units", spread.units},
            {"over", plural(spread.over)},
            {"known", is_known ? Json(law.variance_ratio) : Json(nullptr)}};
}

/// How far the outcome and its estimate may be off: null where it cannot be told.
void add_uncertainty(Json& json, const Run& run) {
    const Expectation& expected = run.subject.law.expected;
    const auto chance = uncertainty(run.subject.law, run.spread);
    json["pi_sd"] = chance ? Json(estimate_sd(run.outcome, expected, chance->variance_ratio)) : Json(nullptr);
    json["bias"] = bias(expected);
    json["sigma"] = chance ? Json(sigma(run.outcome, expected, chance->variance_ratio)) : Json(nullptr);
    json["independent"] = text_of(run.subject.law.independent);
    json["variance_ratio"] = run.spread ? spread_json(*run.spread, run.subject.law) : Json(nullptr);
    json["effective_samples_per_ns"] = or_null(effective_samples_per_ns(run));
}

void add_gpu_side(Json& json, const Run& run) {
    const GpuSide& gpu = *run.gpu;
    json["registers"] = gpu.registers;
    json["shared_bytes"] = gpu.shared_bytes;
    json["occupancy"] = gpu.occupancy;
    json["sm_clock_mhz"] = to_tenths(gpu.sm_clock_mhz);
    json["power_w"] = to_tenths(gpu.power_w);
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

/// Null where nothing was timed.
Json rate_json(const Run& run) {
    if (run.kernel_ms.empty()) {
        return nullptr;
    }
    const Summary rate = samples_per_ns(run);
    return {{"median", rate.median}, {"low", rate.low}, {"high", rate.high}, {"min", rate.min}, {"max", rate.max}};
}

/// Rate of a member of a team over its own launches; nothing of one that had none.
std::optional<double> samples_per_ns(const TeamMember& member, const Run& run) {
    if (!member.launches_per_ms) {
        return std::nullopt;
    }
    return *member.launches_per_ms * static_cast<double>(run.samples_per_launch) / 1e6;
}

Json member_json(const TeamMember& member, const Run& run) {
    return {{"rank", or_null(member.facts.rank)},
            {"host", member.facts.host},
            {"device", or_null(member.facts.worker.device)},
            {"name", member.facts.worker.name},
            {"launches", member.launches},
            {"samples_per_ns", or_null(samples_per_ns(member, run))},
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

Json run_json(const Run& run) {
    Json json = {{"version", run.subject.version},
                 {"after", or_null(run.subject.after)},
                 {"title", run.subject.title},
                 {"technique", run.subject.technique},
                 {"generator", run.subject.generator},
                 {"sound", is_believed(run.subject.soundness)},
                 {"soundness", soundness_text(run.subject.soundness)},
                 {"seed", run.seed},
                 {"expected", {{"count", run.subject.law.expected.count}, {"total", run.subject.law.expected.total}}},
                 {"blocks", run.gpu ? Json(run.gpu->blocks) : Json(nullptr)},
                 {"threads", run.threads},
                 {"iters", run.iters},
                 {"samples_per_launch", run.samples_per_launch},
                 {"launches", run.launches},
                 {"batch", run.batch},
                 {"kernel_ms", times_json(run.kernel_ms)},
                 {"setup_ms", run.gpu && run.gpu->setup_ms ? Json(rounded(*run.gpu->setup_ms)) : Json(nullptr)},
                 {"samples_per_ns", rate_json(run)},
                 {"hits", run.outcome.hits},
                 {"samples", run.outcome.samples},
                 {"pi", estimate(run.outcome)}};
    add_uncertainty(json, run);
    json["trace"] = run.trace ? trace_json(*run.trace) : Json(nullptr);
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

std::string line(const std::string& label, const std::string& text) { return fmt::format("  {:<10}{}\n", label, text); }

std::string gpu_lines(const DeviceFacts& device, const Run& run) {
    const GpuSide& gpu = *run.gpu;
    std::string text = line("device", fmt::format("{}, {} multiprocessors, compute capability {}.{}", device.name,
                                                  device.multiprocessors, device.major, device.minor)) +
                       line("grid", fmt::format("{} blocks of {} threads, {} samples per thread", grouped(gpu.blocks),
                                                run.threads, grouped(run.iters))) +
                       line("resources", fmt::format("{} registers, {} bytes of shared memory, occupancy {:.0f} %",
                                                     gpu.registers, gpu.shared_bytes, 100 * gpu.occupancy));
    if (gpu.sm_clock_mhz) {
        text += line("clock", fmt::format("{:.0f} MHz of {:.0f}", *gpu.sm_clock_mhz, device.max_clock_mhz));
    }
    if (gpu.setup_ms) {
        text += line("set-up", fmt::format("{:.4g} ms of each launch", *gpu.setup_ms));
    }
    if (const auto efficiency = samples_per_joule(run)) {
        text += line("power", fmt::format("{:.0f} W, {:.3g} samples per joule", *gpu.power_w, *efficiency));
    }
    return text;
}

std::string cpu_lines(const HostFacts& host, const Run& run) {
    return line("host",
                fmt::format("{}, {} threads on {} cores, {}", host.cpu, run.threads, host.cores, run.cpu->isa)) +
           line("streams", fmt::format("{} of {} samples each", grouped(run.cpu->streams), grouped(run.iters)));
}

/// An outcome as it is told to people.
struct Told {
    const Subject& subject;
    const Outcome& outcome;
    std::optional<Uncertainty> chance;  // nothing where it cannot be told
    const char* without;                // said in its place
};

Told told(const Subject& subject, const Outcome& outcome, const std::optional<Spread>& spread,
          const char* without = "too few launches for an error") {
    return {subject, outcome, uncertainty(subject.law, spread), without};
}

std::string origin_text(const Told& t) {
    const std::string samples = fmt::format("from {} samples", grouped(t.outcome.samples));
    return t.chance ? fmt::format("{}, {:+.2f} sd from its expectation", samples,
                                  sigma(t.outcome, t.subject.law.expected, t.chance->variance_ratio))
                    : fmt::format("{}; {}", samples, t.without);
}

double sd_of(const Told& t) { return estimate_sd(t.outcome, t.subject.law.expected, t.chance->variance_ratio); }

/// To nine decimals, more where the standard deviation is finer.
std::string estimate_text(const Told& t) {
    constexpr int usual = 9;
    return fmt::format("{:.{}f}", estimate(t.outcome), t.chance ? std::max(usual, decimals_to(sd_of(t))) : usual);
}

std::string estimate_line(const Told& t) { return line("pi", fmt::format("{} {}", estimate_text(t), origin_text(t))); }

/// What a standard deviation is to be taken for.
const char* reservation(const Subject& subject, double sd) {
    if (subject.law.independent == Independent::launches) {
        return ", as measured";
    }
    const bool doubtful = subject.soundness == Soundness::demonstration && sd > 0;
    return doubtful ? " for independent samples, which its generator does not fully provide" : "";
}

/// Of a pooled run.
std::string pooled_estimate_line(const Told& t) {
    const double sd = sd_of(t);
    return line("pi", fmt::format("{} +- {:.2g} (1 sd{}) {}", estimate_text(t), sd, reservation(t.subject, sd),
                                  origin_text(t)));
}

std::string believed_text(const Outcome& outcome, double bound) {
    const std::string reason = fmt::format("bias and two sd come to {:.2g}", bound);
    const auto decimals = believed_decimals(bound);
    return decimals ? fmt::format("{:.{}f} ({}; right to +-1 in the last digit)", estimate(outcome), *decimals, reason)
                    : fmt::format("no digit ({})", reason);
}

std::string pooled_lines(const Told& t) {
    const Expectation& expected = t.subject.law.expected;
    const std::string bias_line =
        line("bias", fmt::format("{:+.3g} known, from coordinates and generator (4P - pi)", bias(expected)));
    if (!t.chance) {
        return estimate_line(t) + bias_line;
    }
    return pooled_estimate_line(t) + bias_line +
           line("believed", believed_text(t.outcome, error_bound(t.outcome, expected, t.chance->variance_ratio)));
}

std::string member_text(const TeamMember& member, const Run& run) {
    const auto rank = member.facts.rank;
    const auto device = member.facts.worker.device;
    std::string text = rank ? fmt::format("rank {} on {}, ", *rank, member.facts.host) : "";
    text += device ? fmt::format("device {}, {}", *device, member.facts.worker.name) : member.facts.worker.name;
    if (const auto rate = samples_per_ns(member, run)) text += fmt::format(": {:.5g} samples/ns", *rate);
    if (member.sm_clock_mhz) text += fmt::format(", {:.0f} MHz", *member.sm_clock_mhz);
    if (member.power_w) text += fmt::format(", {:.0f} W", *member.power_w);
    return text;
}

/// A line for each member of a team, of the first of many.
std::string team_lines(const Run& run) {
    constexpr std::size_t most_lines = 16;
    const auto& members = run.team->report.members;
    std::string text;
    for (std::size_t i = 0; i < std::min(members.size(), most_lines); i++) {
        text += line(i == 0 ? "team" : "", member_text(members[i], run));
    }
    return members.size() > most_lines ? text + line("", fmt::format("and {} more", members.size() - most_lines))
                                       : text;
}

std::string launches_line(const Run& run) {
    std::string text = fmt::format("{} of {} samples", run.launches, grouped(run.samples_per_launch));
    if (!run.kernel_ms.empty()) text += fmt::format(", {:.5g} ms each", summarize(run.kernel_ms).median);
    if (run.batch > 1) text += fmt::format(" (timed {} at once)", run.batch);
    if (run.resumed_from) text += fmt::format(", {} of them before", grouped(*run.resumed_from));
    return line("launches", fmt::format("{}, seed {}", text, run.seed));
}

std::string rate_line(const Run& run) {
    if (run.kernel_ms.empty()) {
        return "";
    }
    const Summary rate = samples_per_ns(run);
    return line("rate",
                fmt::format("{:.5g} samples/ns, {} [{:.5g}, {:.5g}]", rate.median,
                            rate.interval_is_95 ? "95 % interval of the median" : "range", rate.low, rate.high));
}

/// What the rate is worth where samples are not independent.
std::string effective_line(const Run& run) {
    const auto effective = effective_samples_per_ns(run);
    if (!effective) {
        return "";
    }
    const Law& law = run.subject.law;
    const bool is_known = law.independent != Independent::launches;
    const std::string known = is_known ? fmt::format("{:.3g} of the binomial", law.variance_ratio) : "";
    const std::string measured =
        run.spread
            ? fmt::format("{:.3g} +- {:.1g}{} measured over {} {}", run.spread->variance_ratio, run.spread->sd,
                          is_known ? "" : " of the binomial", grouped(run.spread->units), plural(run.spread->over))
            : "";
    return line("effective", fmt::format("{:.5g} samples/ns: variance {}{}{}", *effective, known,
                                         is_known && run.spread ? ", " : "", measured));
}

}  // namespace

const char* soundness_text(Soundness soundness) {
    switch (soundness) {
        case Soundness::sound:
            return "sound";
        case Soundness::sound_in_24_bits:
            return "sound for 24-bit coordinates";
        case Soundness::sound_in_bit_planes:
            return "sound in bit planes";
        case Soundness::quasi_random:
            return "quasi-random";
        case Soundness::not_tested:
            return "not tested";
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

std::optional<double> effective_samples_per_ns(const Run& run) {
    const auto chance = uncertainty(run.subject.law, run.spread);
    if (run.subject.law.independent == Independent::samples || !chance || run.kernel_ms.empty()) {
        return std::nullopt;
    }
    return samples_per_ns(run).median / chance->variance_ratio;
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
    const Told outcome = told(run.subject, run.outcome, run.spread);
    return fmt::format("{}  {}: {}\n", run.subject.version, run.subject.title, run.subject.technique) +
           (run.gpu ? gpu_lines(*context.device, run) : cpu_lines(context.host, run)) +
           (run.team ? team_lines(run) : "") + launches_line(run) +
           (run.trace ? pooled_lines(outcome) : estimate_line(outcome)) + rate_line(run) + effective_line(run);
}

std::string profile_text(const Subject& subject, const Outcome& outcome, const std::optional<Spread>& spread,
                         const std::string& tool) {
    const std::string why = tool.empty() ? "for a profiler, not timed"
                                         : fmt::format("under {}, not timed (--no-profile switches this off)", tool);
    return fmt::format("{}  {}: one launch {}\n", subject.version, subject.title, why) +
           estimate_line(told(subject, outcome, spread, "one launch has no error estimate"));
}

std::string interrupted_text(const Subject& subject, const Outcome& outcome, const std::optional<Spread>& spread,
                             std::uint64_t launches, std::uint64_t all_launches) {
    return fmt::format("{}  {}: interrupted after {} of {} launches\n", subject.version, subject.title,
                       grouped(launches), grouped(all_launches)) +
           pooled_lines(told(subject, outcome, spread));
}

}  // namespace bench
