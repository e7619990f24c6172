// The facts by which the estimate of a run is judged, from exact moments.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/estimands/solution_of.hpp"
#include "kernels/mcls/problem/histories.hpp"
#include "kernels/mcls/problem/splitting.hpp"

namespace mcls {

/// At most this is the expected sum of |tally| in one entry of x, in multiples of a history, and the size of a first tally.
struct LargestTally {
    double sum, first;
};
LargestTally largest_tally(const Histories& histories);

/// The fixed point of the tallies of a launch: the largest s with histories * 4 * sum * 2^s < 2^62 and first * 2^s < 2^56: some
/// histories may meet in an entry that few visit. Throws bench::UsageError if a first tally has fewer than 20 bits then.
int bits_of(const LargestTally& largest, std::uint64_t histories);

/// Adds to `what`, which has its entries, bits, histories, share and length, all that depends on the moments of the histories,
/// whose second ones must be finite. `judged`: as for Moments.
void add_moments(bench::SolutionOf& what, const std::shared_ptr<const Splitting>& splitting, const Histories& histories,
                 const std::vector<std::uint8_t>& judged);

}  // namespace mcls
