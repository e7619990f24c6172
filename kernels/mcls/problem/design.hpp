// What a step of the ladder fixes; the rest is up to the user. Kernel files include this file, so it is C++17.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/estimands/solution/solution_of.hpp"
#include "bench/step.hpp"

namespace mcls {

struct Walks;     // problem/walks.hpp
struct Replayed;  // replay/replays.hpp

/// Adjoint: a history starts at a state drawn by |b|, and adds its weight to every state that it visits.
/// Forward: a history starts at the entry of x that it estimates, and adds its weight times b there.
enum class Method { adjoint, forward };

/// How the entries of a row of B become probabilities.
enum class Sampling {
    almost_optimal,  // |B_ij| / sum of the row: weights change, histories go on
    absorbing,       // |B_ij|: histories end with the rest, weights keep their size
    importance,      // |B_ij| times an estimate of |x_j|, over the sum of the row: for forward histories
    equal_slots,     // almost optimal ones in multiples of 1/64
    paths            // almost optimal ones in multiples of 1/4, or of 1/8 where rows have more than 4 entries
};

/// Histories on slots take several transitions from a word: their limit of transitions is that of whole quads of words.
constexpr bool has_slots(Sampling sampling) { return sampling == Sampling::equal_slots || sampling == Sampling::paths; }

/// The table that a step draws transitions from.
enum class Table {
    cdf,
    alias,
    short_rows,  // of adjoint, almost optimal histories; of guided ones, with weights, and the cutoff, in units of the estimate
    own          // that the step makes itself, of B
};

/// How many slots the rows of Table::short_rows have.
enum class Widths {
    as_needed,
    equal  // all as many as the longest row needs
};

/// Histories that a block can take one by one with a counter of 32 bits: each of its threads takes one too many.
inline constexpr std::uint64_t most_of_share = UINT32_MAX - 1024;

/// For Design::histories_of_block: where the block takes them one by one, and where each of its threads, which are a warp at
/// least, has as many.
constexpr std::uint64_t histories_of_share(double) { return most_of_share; }
constexpr std::uint64_t histories_of_threads(double) { return std::uint64_t{32} * UINT32_MAX; }

/// How the histories of a step move, and what its launches publish.
struct Design {
    Method method = Method::adjoint;
    Sampling sampling = Sampling::almost_optimal;
    Table table;
    Widths widths = Widths::as_needed;
    bench::TallyType tallies = bench::TallyType::fixed_point;
    const char* generator;
    bench::Soundness soundness;
    std::uint64_t
        histories;  // of a launch, unless the user chooses; forward histories: a little more, as many for each entry
    const char* instead = "";    // of absorption: the step that solves systems which it cannot
    const char* for_steps = "";  // of histories whose transitions cannot be limited: the step that has --steps
    bool stratified = false;     // history h of N starts in the h-th of N equal parts of the starts' distribution
    int bits_of_first = 62;      // the first tally of a history is below 2^this
    /// What a launch publishes according to the host.
    Replayed (*replay)(const bench::Launch& l) = nullptr;
    /// Throws bench::UsageError if the step cannot walk them. Needs no GPU.
    void (*check)(const Walks& walks) = nullptr;
    /// The most histories of a block in a launch, which its counters hold. `visits`: of the state that a history visits most,
    /// the mean. The CPU has no blocks.
    std::uint64_t (*histories_of_block)(double visits) = histories_of_threads;
    /// The kernel that does the work, where it depends on the system; otherwise Step::kernel tells.
    const void* (*kernel)(const Walks& walks) = nullptr;
    /// Dynamic shared memory of a block, where it depends on the system; otherwise Step::dynamic_shared_bytes tells.
    std::size_t (*shared_bytes)(const Walks& walks, unsigned threads) = nullptr;
};

}  // namespace mcls
