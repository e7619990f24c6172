#include "bench/tell/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/estimands/estimate.hpp"
#include "bench/estimands/verdict.hpp"

namespace bench {
namespace {

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

std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
        digits.insert(static_cast<std::size_t>(i), 1, ',');
    }
    return digits;
}

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
