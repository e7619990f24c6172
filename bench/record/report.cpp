#include "bench/record/report.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bench/estimand.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

const char* units(const Record& run) { return run.tally.estimand().unit().many; }

/// ", 45 to 62 °C, power cap in 12 of 50 timings"; without a reason, the temperature alone.
std::string throttle_text(const std::optional<Throttle>& throttle) {
    if (!throttle) {
        return "";
    }
    const std::string reasons = reasons_text(throttle);
    return fmt::format(", {} to {} °C{}{}", throttle->min_c, throttle->max_c, reasons.empty() ? "" : ", ", reasons);
}

/// "1 block", "264 blocks".
std::string counted(std::uint64_t n, const char* one) {
    return fmt::format("{} {}{}", grouped(n), one, n == 1 ? "" : "s");
}

/// "257 throws a thread", or of a launch that is replayed whole "1,048,576 throws".
std::string size_text(const Record& run, const Compared& compared) {
    if (compared.of == 1) {
        const std::string on = compared.vertices == 0 ? "" : fmt::format(" on {} vertices", grouped(compared.vertices));
        return fmt::format("{} {}{}", grouped(compared.work), units(run), on);
    }
    const double work = static_cast<double>(compared.work) / static_cast<double>(run.tally.spec().streams);
    return fmt::format("{} {} a {}", grouped(static_cast<std::uint64_t>(std::lround(work))), units(run),
                       is_on_cpu(run.step) ? "stream" : "thread");
}

/// "264 of 264 blocks with 257 throws a thread", or "a launch of 1,048,576 throws".
std::string compared_text(const Record& run, const Compared& compared) {
    if (compared.of == 1) {
        return fmt::format("a launch of {}", size_text(run, compared));
    }
    const char* parts = compared.of == run.tally.spec().shape.blocks ? "blocks" : "parts";
    return fmt::format("{} of {} {} with {}", grouped(compared.parts), grouped(compared.of), parts,
                       size_text(run, compared));
}

/// Before the first timing and after the last.
std::string replay_lines(const Record& run) {
    if (!run.rehearsed) {
        return "";
    }
    const Compared &brief = run.rehearsed->brief, &full = run.rehearsed->full;
    const std::string larger = full.launches > 0 ? ", " + compared_text(run, full) : "";
    const char* match = brief.of == 1 && larger.empty() ? "matches" : "match";
    std::string text =
        line("rehearsal", fmt::format("{}{} {} the CPU's recomputation", compared_text(run, brief), larger, match));
    if (const Audit all = audit(run); all.timed > 0) {
        std::vector<std::string> how;
        if (all.full.launches > 0) how.push_back(fmt::format("{} as they were timed", grouped(all.full.launches)));
        if (all.full.launches == 0) how.push_back(fmt::format("none as timed, which takes {:.2g} s", all.part_seconds));
        if (all.brief.launches > 0) {
            how.push_back(fmt::format("{} again with {}", grouped(all.brief.launches), size_text(run, all.brief)));
        }
        text += line("audit", fmt::format("{} of {} launches replayed in a part: {}",
                                          grouped(all.full.launches + all.brief.launches), grouped(all.timed),
                                          fmt::join(how, ", ")));
    }
    return text;
}

std::string gpu_lines(const Record& run) {
    const DeviceFacts device = run.context.device.value_or(DeviceFacts{});  // none of a sum of stored runs
    const LaunchSpec& spec = run.tally.spec();
    std::string text =
        (run.context.device
             ? line("device", fmt::format("{}, {} multiprocessors, compute capability {}.{}", device.name,
                                          device.multiprocessors, device.major, device.minor))
             : "") +
        line("grid", fmt::format("{} of {}, {} {} per thread", counted(spec.shape.blocks, "block"),
                                 counted(spec.shape.threads, "thread"), grouped(spec.iters),
                                 run.tally.estimand().iterations()));
    if (run.kernel) {
        text += line("resources",
                     fmt::format("{} registers, {} bytes of shared memory, occupancy {:.0f} %", run.kernel->registers,
                                 run.kernel->shared_bytes, 100 * run.kernel->occupancy));
    }
    if (const auto clock = sm_clock_mhz(run)) {
        text += line("clock",
                     fmt::format("{:.0f} MHz of {:.0f}{}", *clock, device.max_clock_mhz, throttle_text(throttle(run))));
    }
    if (const auto efficiency = per_joule(run)) {
        text += line("power", fmt::format("{:.0f} W, {:.3g} {} per joule", *power_w(run), *efficiency, units(run)));
    }
    return text;
}

std::string cpu_lines(const Record& run) {
    const LaunchSpec& spec = run.tally.spec();
    const HostFacts& host = run.context.host;
    return line("host", fmt::format("{}, {} on {} of {} cores, {}", host.cpu, counted(spec.shape.threads, "thread"),
                                    host.cores, host.machine_cores, run.step.cpu.isa())) +
           line("streams", fmt::format("{} of {} {} each", grouped(spec.streams), grouped(spec.iters),
                                       run.tally.estimand().iterations()));
}

/// The median time of each phase, if there are several, and the time that belongs to none.
std::string phases_line(const Record& run) {
    const unsigned n = phases_of(run.launched);
    if (n < 2 || run.measured.phases_ms.empty()) {
        return "";
    }
    std::string text;
    for (unsigned phase = 0; phase < n; phase++) {
        text += fmt::format("{}{} {:.4g} ms", phase == 0 ? "" : ", ", run.launched.phases[phase].name,
                            summarize(times_of_phase(run, phase)).median);
    }
    if (clock_of(run.launched) == Clock::wall) {
        const double other = other_ms(run), noise = 0.01 * summarize(run.measured.ms).median;
        text += other < -noise ? ", side by side" : fmt::format(", other {:.4g} ms", std::max(other, 0.0));
    }
    return line("phases", text);
}

std::string member_text(const Member& member, const Record& run) {
    std::string text = member.rank ? fmt::format("rank {} on {}, ", *member.rank, member.host) : "";
    text += member.device ? fmt::format("device {}, {}", *member.device, member.name) : member.name;
    if (const auto rate = per_ns(member, run)) text += fmt::format(": {:.5g} {}/ns", *rate, units(run));
    if (member.sm_clock_mhz) text += fmt::format(", {:.0f} MHz", *member.sm_clock_mhz);
    text += throttle_text(member.throttle);
    if (member.power_w) text += fmt::format(", {:.0f} W", *member.power_w);
    return text;
}

/// A line for each member of a team; only the first ones of a large team.
std::string team_lines(const Record& run) {
    constexpr std::size_t most_lines = 16;
    const auto& members = run.members;
    std::string text;
    for (std::size_t i = 0; i < std::min(members.size(), most_lines); i++) {
        text += line(i == 0 ? "team" : "", member_text(members[i], run));
    }
    return members.size() > most_lines ? text + line("", fmt::format("and {} more", members.size() - most_lines))
                                       : text;
}

std::string launches_line(const Record& run) {
    const std::uint64_t launches = run.tally.launches(), work = (run.tally.work_done() + launches / 2) / launches;
    std::string text = fmt::format("{} of {} {}", run.launches, grouped(work), units(run));
    if (!run.measured.ms.empty()) text += fmt::format(", {:.5g} ms each", summarize(run.measured.ms).median);
    if (run.measured.batch > 1) text += fmt::format(" (timed {} at once)", run.measured.batch);
    if (run.resumed_from) text += fmt::format(", {} of them in an earlier part", grouped(*run.resumed_from));
    return line("launches", fmt::format("{}, seed {}", text, run.tally.spec().seed));
}

std::string rate_line(const Record& run) {
    if (run.measured.ms.empty()) {
        return "";
    }
    const Summary rate = per_ns(run);
    const double total = total_per_ns(run);
    const bool differs = total < rate.low || total > rate.high;
    return line("rate", fmt::format("{:.5g} {}/ns, {} [{:.5g}, {:.5g}]{}", rate.median, units(run),
                                    rate.interval_is_95 ? "95 % interval of the median" : "range", rate.low, rate.high,
                                    differs ? fmt::format("; {:.5g} over all launches", total) : ""));
}

/// The rate of a run of fixed work with all that happened between its launches.
std::string by_wall_line(const Record& run) {
    const auto wall = by_wall(run);
    return wall ? line("by wall", fmt::format("{:.5g} {}/ns: {:.2f} s, {:.1f} % of them in launches", wall->per_ns,
                                              units(run), wall->seconds, 100 * wall->share))
                : "";
}

/// The effective rate, if units of work depend on each other.
std::string effective_line(const Record& run) {
    const auto effective = effective_per_ns(run);
    return effective ? line("effective", fmt::format("{:.5g} {}/ns: {}", *effective, units(run),
                                                     run.tally.estimand().variance_ratio(run.tally)->origin))
                     : "";
}

}  // namespace

std::string to_text(const Record& run) {
    return fmt::format("{}  {}: {}\n", run.version, run.step.title, run.step.technique) +
           (is_on_cpu(run.step) ? cpu_lines(run) : gpu_lines(run)) + replay_lines(run) + phases_line(run) +
           (run.scaling ? team_lines(run) : "") + launches_line(run) +
           run.tally.estimand().report(run.tally, run.occasion) + rate_line(run) + by_wall_line(run) +
           effective_line(run);
}

std::string profile_text(const std::string& version, const Step& step, const Tally& tally, const std::string& tool) {
    const std::string why =
        tool.empty() ? "for a profiler, not timed and not rehearsed"
                     : fmt::format("under {}, not timed and not rehearsed (--no-profile switches this off)", tool);
    return fmt::format("{}  {}: one launch {}\n", version, step.title, why) +
           tally.estimand().report(tally, Occasion::one_launch);
}

std::string interrupted_text(const std::string& version, const Step& step, const Tally& tally,
                             std::uint64_t all_launches) {
    return fmt::format("{}  {}: interrupted after {} of {} launches\n", version, step.title, grouped(tally.launches()),
                       grouped(all_launches)) +
           tally.estimand().report(tally, Occasion::pooled);
}

}  // namespace bench
