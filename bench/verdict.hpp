// When is a hit count worth a number? What "hit" means belongs to this ladder; measurement knows nothing of it.
#pragma once

#include <cstdint>
#include <span>

#include "bench/contract.hpp"

namespace bench {

/// The pooled outcome of a run.
struct Outcome {
    std::uint64_t hits = 0;
    std::uint64_t samples = 0;
};

/// Farthest that the hits may lie from their expectation, in standard deviations.
inline constexpr double max_sigma = 5;

/// Sum of the counts that one launch published. Throws VerdictError if a count was left unwritten, or if there are more
/// hits than `samples`.
std::uint64_t sum_published(std::span<const Count> published, std::uint64_t samples);

/// Distance of the hits from `samples` times the expected probability, in standard deviations of the binomial
/// distribution (signed).
double sigma(const Outcome& outcome, const Expectation& expected);

/// Throws VerdictError unless hits <= samples, samples > 0 and |sigma| <= max_sigma; NaN never passes.
void judge(const Outcome& outcome, const Expectation& expected);

}  // namespace bench
