// Exact sums of counts, and their variance.
#pragma once

#include <cstdint>
#include <optional>

#include "bench/whole_numbers.hpp"

namespace bench {

/// Sums of whole numbers and of their squares, and the extremes. They are exact, so the order of addition does not
/// matter.
struct CountSums {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;  // at most 2^63, as the caller ensures; the sum of squares is then at most 2^126
    Uint128 sum_of_squares = 0;
    std::uint64_t least = UINT64_MAX;
    std::uint64_t most = 0;

    /// Unbiased variance of the numbers, in their unit squared; empty with fewer than two.
    std::optional<double> variance() const;

    /// Whether whole numbers can have these sums: n Q >= S^2 (Cauchy-Schwarz), and Q <= S^2 because none is negative.
    bool are_possible() const;

    bool operator==(const CountSums&) const = default;
};

}  // namespace bench
