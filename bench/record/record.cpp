#include "bench/record/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bench/measure/whole_call.hpp"

namespace bench {

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

Subject of_whole_calls(Subject subject) {
    subject.phases = call_phases;
    subject.clock = Clock::wall;
    return subject;
}

std::string generator_line(const Estimand& estimand) {
    return fmt::format("Generator: {} ({})", estimand.generator(), soundness_text(estimand.soundness()));
}

std::vector<double> times_of_phase(const Run& run, std::size_t phase) {
    std::vector<double> times;
    for (const PhaseTimes& ms : run.phases_ms) times.push_back(ms[phase]);
    return times;
}

double other_ms(const Run& run) {
    std::vector<double> ms;
    for (std::size_t i = 0; i < run.kernel_ms.size(); i++) {
        ms.push_back(run.kernel_ms[i] - std::accumulate(run.phases_ms[i].begin(), run.phases_ms[i].end(), 0.0));
    }
    const auto middle = ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2);
    std::nth_element(ms.begin(), middle, ms.end());
    return *middle;
}

double work_per_launch(const Run& run) {
    const std::uint64_t work = run.tally.work_done(), launches = run.tally.launches();
    return work % launches == 0 ? static_cast<double>(work / launches)
                                : static_cast<double>(work) / static_cast<double>(launches);
}

Summary per_ns(const Run& run) { return rates(run.kernel_ms, run.work); }

std::optional<double> effective_per_ns(const Run& run) {
    const auto ratio = run.tally.estimand().variance_ratio(run.tally);
    if (!ratio || run.kernel_ms.empty()) {
        return std::nullopt;
    }
    return per_ns(run).median / ratio->value;
}

std::optional<double> per_joule(const Run& run) {
    const bool works_on_host = run.subject.clock == Clock::wall;  // its power is not known
    if (!run.gpu || works_on_host || !run.gpu->power_w || run.kernel_ms.empty()) {
        return std::nullopt;
    }
    return per_ns(run).median * 1e9 / *run.gpu->power_w;
}

std::optional<double> per_ns(const TeamMember& member, const Run& run) {
    if (!member.launches_per_ms) {
        return std::nullopt;
    }
    return *member.launches_per_ms * work_per_launch(run) / 1e6;
}

}  // namespace bench
