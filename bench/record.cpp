#include "bench/record.hpp"

#include "bench/estimands/verdict.hpp"

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

std::optional<double> samples_per_joule(const Run& run) {
    if (!run.gpu || !run.gpu->power_w || run.kernel_ms.empty()) {
        return std::nullopt;
    }
    return samples_per_ns(run).median * 1e9 / *run.gpu->power_w;
}

std::optional<double> samples_per_ns(const TeamMember& member, const Run& run) {
    if (!member.launches_per_ms) {
        return std::nullopt;
    }
    return *member.launches_per_ms * static_cast<double>(run.samples_per_launch) / 1e6;
}

}  // namespace bench
