// Exact hit probabilities, by counting every outcome: each pair of consecutive draws of a generator with 32 bits of
// state, or each pair of coordinates that two independent words can make. Generators and coordinates are written anew
// here; with the kernels they share nothing but the rule, fmaf(x, x, y*y) <= 1 in float arithmetic.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/estimands/source.hpp"

namespace quality {

/// A stored expectation, and how to count it.
struct ExactCount {
    const char* name;
    bench::Expectation stored;
    std::function<std::uint64_t()> count;  // seconds, on all cores
};

/// Every expectation that a version, an ablation or a specimen is judged by.
const std::vector<ExactCount>& exact_counts();

/// The words 0, step, 2 step, ..., `size` of them, as coordinates word / 2^32 + offset in float arithmetic.
struct Axis {
    std::uint64_t size;
    std::uint64_t step;
    float offset;
};

/// The coordinate of word number `i` of an axis.
float coordinate(const Axis& axis, std::uint64_t i);

/// Is the pair a hit?
bool inside(float x, float y);

/// Pairs of coordinates of an axis that hit, of size^2.
std::uint64_t hits_of_pairs(const Axis& axis);

}  // namespace quality
