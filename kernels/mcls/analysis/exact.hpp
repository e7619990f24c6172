// The facts by which the estimate of a run is judged, from exact moments.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/estimands/solution/solution_of.hpp"
#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/system/splitting.hpp"

namespace mcls {

/// How large tallies are: the largest mean of |tally| of a history, and the mean of |tally| of a history that adds to an entry.
struct TallySize {
    double mean, of_entry;
};
TallySize tally_size(const Histories& histories);

/// The fixed point of the tallies of a launch: the largest s with histories * 4 * mean * 2^s < 2^62 and 64 * of_entry * 2^s <
/// 2^62, as some histories may meet in an entry that few add to. Throws bench::UsageError if of_entry has fewer than 20
/// bits then, with the advice where that is so for any number of histories.
int bits_of(const TallySize& size, std::uint64_t histories, const char* advice = "");

/// What histories leave out because they end, of the judged entries and over their norm.
struct Ends {
    double residual;   // of the mean, over the norm of b, of all entries: what the limit of steps leaves
    double of_steps;   // what the limit of steps takes
    double halved_by;  // so many steps more halve it
    double of_cutoff;  // what the cutoff takes, at most
};

/// Adds to `what`, which has its entries, bits, histories, share and length, all that depends on the moments of the histories,
/// whose second ones must be finite. `judged`: as for Moments.
Ends add_moments(bench::SolutionOf& what, const std::shared_ptr<const Splitting>& splitting, const Histories& histories,
                 const std::vector<std::uint8_t>& judged);

}  // namespace mcls
