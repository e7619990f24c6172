#include "bench/estimand.hpp"

#include <fmt/format.h>

#include <bit>
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

std::uint64_t work_of_launch(const Drawn& drawn, const LaunchSpec& spec) {
    const auto numbers = checked_product(spec.streams, spec.iters);
    const auto units = checked_product(numbers.value_or(UINT64_MAX), drawn.steps);
    const auto launch = [&] {
        return fmt::format("a launch of {} streams of {} {} exceeds", spec.streams, spec.iters, drawn.numbers);
    };
    if (!units || *units > max_work) {
        throw UsageError(fmt::format("{} 2^63 {}", launch(), drawn.units));
    }
    if (drawn.points != 0 && *numbers > drawn.points) {
        throw UsageError(fmt::format("{} the {} points of the set", launch(), drawn.points));
    }
    return *units;
}

std::vector<Warning> uneven_points(const Drawn& drawn, std::uint64_t numbers) {
    if (drawn.points == 0 || std::has_single_bit(numbers)) {
        return {};
    }
    return {Warning{"points", fmt::format("{} points are not a power of two: they are less evenly spread", numbers)}};
}

}  // namespace bench
