// How histories move, as far as tables and moments depend on it. Kernel files include this file, so it is C++17.
#pragma once

namespace mcls {

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
    own          // that the method makes itself, of B
};

/// How many slots the rows of Table::short_rows have.
enum class Widths {
    as_needed,
    equal  // all as many as the longest row needs
};

}  // namespace mcls
