// How much of a short cycle do the streams of a launch share?
#pragma once

#include <cstdint>

namespace quality {

struct Overlap {
    std::uint64_t streams;
    std::uint64_t draws;  // of a stream
    double cycle_draws;   // states of the cycle
    double times_round;   // draws of all streams together, in cycles
    double overlapping;   // expected share of the streams whose draws overlap with those of another one
};

/// For streams that start at independent, uniformly distributed states of one cycle: another one starts within `draws`
/// steps before or after with probability (2 draws - 1) / cycle_draws.
Overlap overlap(std::uint64_t streams, std::uint64_t draws, double cycle_draws);

}  // namespace quality
