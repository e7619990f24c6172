#include "bench/estimands/drawn.hpp"

#include <fmt/format.h>

#include <bit>

#include "bench/errors.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {

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
