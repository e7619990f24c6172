// What a launch draws: samples, paths, points of a set.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/errors.hpp"
#include "bench/step.hpp"

namespace bench {

/// The names of what streams draw, plural ("paths"), and of the units of work ("path-steps"); how many of these one drawn
/// number takes; and the points of the set from which a launch takes its numbers, 0 without a set.
struct Drawn {
    const char* numbers;
    const char* units;
    unsigned steps;
    std::uint64_t points;
};

/// Units of work in a launch; ignores spec.work. Throws UsageError beyond 2^63 units and beyond the points of the set.
std::uint64_t work_of_launch(const Drawn& drawn, const LaunchSpec& spec);

/// The warning about a launch of so many numbers, if the points of a set are not a power of two.
std::vector<Warning> uneven_points(const Drawn& drawn, std::uint64_t numbers);

}  // namespace bench
