#include "bench/record/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/estimand.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

const char* units(const Run& run) { return run.tally.estimand().unit().many; }

std::string gpu_lines(const DeviceFacts& device, const Run& run) {
    const GpuSide& gpu = *run.gpu;
    std::string text =
        line("device", fmt::format("{}, {} multiprocessors, compute capability {}.{}", device.name,
                                   device.multiprocessors, device.major, device.minor)) +
        line("grid", fmt::format("{} blocks of {} threads, {} {} per thread", grouped(gpu.blocks), run.threads,
                                 grouped(run.tally.work().iters), run.tally.estimand().iterations()));
    if (gpu.kernel) {
        text += line("resources",
                     fmt::format("{} registers, {} bytes of shared memory, occupancy {:.0f} %", gpu.kernel->registers,
                                 gpu.kernel->shared_bytes, 100 * gpu.kernel->occupancy));
    }
    if (gpu.rehearsed_blocks) {
        text += line("rehearsal", fmt::format("{} of {} blocks published what their replay on the host gives",
                                              grouped(*gpu.rehearsed_blocks), grouped(gpu.blocks)));
    }
    if (gpu.sm_clock_mhz) {
        text += line("clock", fmt::format("{:.0f} MHz of {:.0f}", *gpu.sm_clock_mhz, device.max_clock_mhz));
    }
    if (const auto efficiency = per_joule(run)) {
        text += line("power", fmt::format("{:.0f} W, {:.3g} {} per joule", *gpu.power_w, *efficiency, units(run)));
    }
    return text;
}

std::string cpu_lines(const HostFacts& host, const Run& run) {
    return line("host",
                fmt::format("{}, {} threads on {} cores, {}", host.cpu, run.threads, host.cores, run.cpu->isa)) +
           line("streams", fmt::format("{} of {} {} each", grouped(run.cpu->streams), grouped(run.tally.work().iters),
                                       run.tally.estimand().iterations()));
}

/// The median time of each phase, if there are several, and the time that belongs to none.
std::string phases_line(const Run& run) {
    const auto& names = run.subject.phases;
    if (names.size() < 2 || run.phases_ms.empty()) {
        return "";
    }
    std::string text;
    for (std::size_t phase = 0; phase < names.size(); phase++) {
        text += fmt::format("{}{} {:.4g} ms", phase == 0 ? "" : ", ", names[phase],
                            summarize(times_of_phase(run, phase)).median);
    }
    if (run.subject.clock == Clock::wall) {
        const double other = other_ms(run), noise = 0.01 * summarize(run.kernel_ms).median;
        text += other < -noise ? ", side by side" : fmt::format(", other {:.4g} ms", std::max(other, 0.0));
    }
    return line("phases", text);
}

std::string member_text(const TeamMember& member, const Run& run) {
    const auto rank = member.facts.rank;
    const auto device = member.facts.worker.device;
    std::string text = rank ? fmt::format("rank {} on {}, ", *rank, member.facts.host) : "";
    text += device ? fmt::format("device {}, {}", *device, member.facts.worker.name) : member.facts.worker.name;
    if (const auto rate = per_ns(member, run)) text += fmt::format(": {:.5g} {}/ns", *rate, units(run));
    if (member.sm_clock_mhz) text += fmt::format(", {:.0f} MHz", *member.sm_clock_mhz);
    if (member.power_w) text += fmt::format(", {:.0f} W", *member.power_w);
    return text;
}

/// A line for each member of a team; only the first ones of a large team.
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
    const std::uint64_t launches = run.tally.launches(), work = (run.tally.work_done() + launches / 2) / launches;
    std::string text = fmt::format("{} of {} {}", run.launches, grouped(work), units(run));
    if (!run.kernel_ms.empty()) text += fmt::format(", {:.5g} ms each", summarize(run.kernel_ms).median);
    if (run.batch > 1) text += fmt::format(" (timed {} at once)", run.batch);
    if (run.resumed_from) text += fmt::format(", {} of them in an earlier part", grouped(*run.resumed_from));
    return line("launches", fmt::format("{}, seed {}", text, run.tally.work().seed));
}

std::string rate_line(const Run& run) {
    if (run.kernel_ms.empty()) {
        return "";
    }
    const Summary rate = per_ns(run);
    return line("rate",
                fmt::format("{:.5g} {}/ns, {} [{:.5g}, {:.5g}]", rate.median, units(run),
                            rate.interval_is_95 ? "95 % interval of the median" : "range", rate.low, rate.high));
}

/// The effective rate, if units of work depend on each other.
std::string effective_line(const Run& run) {
    const auto effective = effective_per_ns(run);
    return effective ? line("effective", fmt::format("{:.5g} {}/ns: {}", *effective, units(run),
                                                     run.tally.estimand().variance_ratio(run.tally)->origin))
                     : "";
}

}  // namespace

std::string to_text(const Context& context, const Run& run) {
    return fmt::format("{}  {}: {}\n", run.subject.step, run.subject.title, run.subject.technique) +
           (run.gpu ? gpu_lines(*context.device, run) : cpu_lines(context.host, run)) + phases_line(run) +
           (run.team ? team_lines(run) : "") + launches_line(run) +
           run.tally.estimand().report(run.tally, run.occasion) + rate_line(run) + effective_line(run);
}

std::string profile_text(const Subject& subject, const Tally& tally, const std::string& tool) {
    const std::string why =
        tool.empty() ? "for a profiler, not timed and not rehearsed"
                     : fmt::format("under {}, not timed and not rehearsed (--no-profile switches this off)", tool);
    return fmt::format("{}  {}: one launch {}\n", subject.step, subject.title, why) +
           tally.estimand().report(tally, Occasion::one_launch);
}

std::string interrupted_text(const Subject& subject, const Tally& tally, std::uint64_t all_launches) {
    return fmt::format("{}  {}: interrupted after {} of {} launches\n", subject.step, subject.title,
                       grouped(tally.launches()), grouped(all_launches)) +
           tally.estimand().report(tally, Occasion::pooled);
}

}  // namespace bench
