// How far the streams of a launch overlap on a short cycle.
#pragma once

#include <cstdint>

namespace quality {

struct Overlap {
    std::uint64_t streams;
    std::uint64_t draws;  // per stream
    double cycle_draws;   // length of the cycle
    double times_round;   // draws of all streams / cycle_draws
    double overlapping;   // expected share of streams that overlap with another stream
};

/// The overlap of streams that start at independent, uniformly distributed states of one cycle. Two of them overlap with
/// probability (2 draws - 1) / cycle_draws.
Overlap overlap(std::uint64_t streams, std::uint64_t draws, double cycle_draws);

}  // namespace quality
