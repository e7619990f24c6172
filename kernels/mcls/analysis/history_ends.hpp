// When histories end, and what a cutoff takes from them. Host only, in double.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/analysis/mean_variance.hpp"

namespace mcls {

/// Transitions of a history: exactly if probabilities sum to 1 in every row, or if absorption ends all histories. With a
/// cutoff, only if every transition multiplies the weight's size by the same factor, of which no power meets the cutoff; otherwise none.
std::optional<MeanVariance> transitions(const Histories& histories);

/// At most so much moves a cutoff the mean of a sum of c_j X_j with |c_j| <= 1, over states with `judged` (empty: all); forward
/// histories: of one X_j.
double cutoff_bias(const Histories& histories, const std::vector<std::uint8_t>& judged = {});

}  // namespace mcls
