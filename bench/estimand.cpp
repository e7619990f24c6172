#include "bench/estimand.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace bench {

nlohmann::ordered_json Estimand::problem() const { return nullptr; }

std::optional<Replay> Estimand::replay(const LaunchSpec&, const Problem*, double) const { return std::nullopt; }

double work_of_stream(const LaunchSpec& spec) {
    return static_cast<double>(spec.work) / static_cast<double>(spec.streams);
}

LaunchSpec spec_of(const Step& step, std::uint64_t seed, Shape shape, unsigned iters) {
    LaunchSpec spec;
    spec.seed = seed;
    spec.shape = shape;
    spec.iters = iters;
    spec.streams = is_on_cpu(step) ? step.cpu.streams : total_threads(shape);
    spec.published = step.counts(shape);
    spec.work = step.estimand->work_of_launch(spec);
    return spec;
}

const char* text_of(Soundness soundness) {
    switch (soundness) {
        case Soundness::sound:
            return "sound";
        case Soundness::sound_in_24_bits:
            return "sound for 24-bit coordinates";
        case Soundness::sound_in_24_bits_but_parity:
            return "sound for 24-bit coordinates but for a known parity";
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

std::string generator_line(const Estimand& estimand) {
    return fmt::format("Generator: {} ({})", estimand.generator(), text_of(estimand.soundness()));
}

}  // namespace bench
