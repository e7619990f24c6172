// Rows as wide as they need, the short ones first: the table of shared/short_rows.cuh, made on the host.
#pragma once

#include "kernels/mcls/system/sparse.hpp"
#include "kernels/mcls/tables/host_tables.hpp"
#include "kernels/mcls/tables/kinds.hpp"

namespace mcls {

/// Almost optimal rows of B, of such widths. Their probabilities are multiples of 2^-25 / width, or of 2^-32 if that is more, and
/// the factors are such that the mean of a transition is B to rounding. `with_rest`: a second word, as GuidedShortRows has it, makes
/// them multiples of 2^-31 of that, in place of factors of first parts. Throws bench::UsageError if B has more than ShortState::most_states rows.
ShortTable short_table(const Sparse& b, Widths widths = Widths::as_needed, bool with_rest = false);

}  // namespace mcls
