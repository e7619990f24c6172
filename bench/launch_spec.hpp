// The parameters of a run's launches.
#pragma once

#include <cstdint>

#include "bench/step.hpp"

namespace bench {

/// The same in all processes of a run.
struct Work {
    std::uint64_t seed = 0;
    Shape shape = {};  // zero on the CPU
    unsigned iters = 0;
    std::uint64_t streams = 0;     // random streams of a launch; on a GPU, one per thread
    std::uint64_t counts = 1;      // published by a launch
    std::uint64_t per_launch = 0;  // units of work of a launch

    bool operator==(const Work&) const = default;
};

}  // namespace bench
