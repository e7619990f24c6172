// What a step of the ladder fixes; the rest is up to the user. Kernel files include this file, so it is C++17.
#pragma once

#include <cstdint>

#include "bench/contract.hpp"
#include "bench/estimands/solution_of.hpp"

namespace mcls {

/// Adjoint: a history starts at a state drawn by |b|, and adds its weight to every state that it visits.
/// Forward: a history starts at the entry of x that it estimates, and adds its weight times b there.
enum class Method { adjoint, forward };

/// How the entries of a row of B become probabilities.
enum class Sampling {
    almost_optimal,  // |B_ij| / sum of the row: weights change, histories go on
    absorbing        // |B_ij|: histories end with the rest, weights keep their size
};

/// The table that a step draws transitions from.
enum class Table {
    cdf,
    alias,
    own  // that the step makes itself, of B
};

/// How the histories of a step move, and what its launches publish.
struct Design {
    Method method = Method::adjoint;
    Sampling sampling = Sampling::almost_optimal;
    Table table;
    bench::TallyType tallies = bench::TallyType::fixed_point;
    const char* generator;
    bench::Soundness soundness;
    std::uint64_t
        histories;  // of a launch, unless the user chooses; forward histories: a little more, as many for each entry
    const char* instead = "";  // of absorption: the step that solves systems which it cannot
};

}  // namespace mcls
