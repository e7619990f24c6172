// What the compilations of cpu_paths.cpp for several instruction sets share.
#pragma once

#include <cstdint>

#include "bench/tally.hpp"
#include "kernels/mcls/shared/quarter_paths.cuh"

namespace mcls::counted_paths {

/// Histories of a launch that no thread has taken yet: `next` to `end` - 1.
struct Histories {
    std::uint64_t next, end;
};

/// Walks histories, which threads take from the same ones, until none is left. Adds to `cells` how many paths began in each
/// cell of QuarterPaths, and returns the number of histories. Memory behind the last one of method.next must be readable.
using Walk = std::uint64_t (*)(const QuarterPaths& method, const PhiloxKeys& keys, std::uint32_t launch,
                               Histories& histories, bench::Count* cells);

}  // namespace mcls::counted_paths
