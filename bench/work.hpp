// What the launches of a run are made of.
#pragma once

#include <cstdint>

#include "bench/contract.hpp"

namespace bench {

/// The same in all processes of a run.
struct Work {
    std::uint64_t seed = 0;
    Shape shape = {};  // none on the CPU
    unsigned iters = 0;
    std::uint64_t streams = 0;     // of random words, in a launch: threads on a GPU
    std::uint64_t counts = 1;      // published by a launch
    std::uint64_t per_launch = 0;  // units of work
};

}  // namespace bench
