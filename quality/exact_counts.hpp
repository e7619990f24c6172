// Exact hit probabilities, found by counting every outcome: all pairs of consecutive draws of a generator with 32 bits
// of state, or all pairs of coordinates that two independent words can give. The code is independent of the kernels'
// code. It shares only the hit rule with them: fmaf(x, x, y*y) <= 1 in float arithmetic.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/estimands/hits/source.hpp"

namespace quality {

/// A stored expectation, and a function that counts it again.
struct ExactCount {
    const char* name;
    bench::Expectation stored;
    std::function<std::uint64_t()> count;  // takes seconds, on all cores
};

/// Every expectation that versions, ablations and specimens are judged by.
const std::vector<ExactCount>& exact_counts();

/// A coordinate axis of `size` points: word / 2^32 + offset in float arithmetic, for the words first, first + step, ...
struct Axis {
    std::uint64_t size;
    std::uint64_t step;
    float offset;
    std::uint64_t first = 0;
};

/// The coordinate of point `i` of an axis.
float coordinate(const Axis& axis, std::uint64_t i);

/// Is the pair a hit?
bool inside(float x, float y);

/// How many of the size^2 pairs of coordinates of an axis are hits.
std::uint64_t hits_of_pairs(const Axis& axis);

}  // namespace quality
