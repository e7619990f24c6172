// Order statistics of timings, exact sums of counts and their variance, quantiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace bench {

/// Summary of a set of values, in their unit.
struct Summary {
    double median;
    double low;  // 95 % interval of the median; may exceed min and max if values depend on each other
    double high;
    double min;
    double max;
    bool interval_is_95;  // false with fewer than 6 values: low and high are then min and max
};

/// Summary of `values` in the order of time (at least one, finite, none negative; otherwise throws
/// std::invalid_argument).
///
/// For independent values the interval lies between two order statistics, x(j) and x(n+1-j). j is the largest number
/// for which P(Bin(n, 1/2) < j), the probability that fewer than j of n values fall below the true median, is at most
/// 2.5 % (David and Nagaraja, "Order Statistics", 3rd edition, section 7.1). Values that depend on each other tell
/// less, so the distance of j from the middle is multiplied by the square root of their autocorrelation time. If j
/// would then lie in the outer eighths of the values, which are too few to rely on, the ends are stretched instead, in
/// proportion on a logarithmic scale. Times and the rates computed from them so have the same interval.
///
/// This assumes that the values come from one distribution and that their autocorrelation shows. In 50 values or more
/// it does: with an autocorrelation of up to 0.9 the interval holds the median in at least 94 % of simulations. Fewer
/// values may hide it, and so may fast scatter on top of a slow drift.
///
/// With `times_more` above 1, the interval is the one to expect of that many times as many values like these: it spans
/// fewer of them by the square root.
Summary summarize(std::span<const double> values, double times_more = 1);

/// The rank j above for n independent values; 0 if no interval reaches 95 % (n < 6).
std::size_t interval_rank(std::size_t n);

// ISO C++ has none.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

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

/// The t that |t| of Student's distribution exceeds with probability `two_sided_tail`. Throws std::domain_error unless
/// 0 < two_sided_tail < 1 and degrees_of_freedom > 0.
double student_t_quantile(double two_sided_tail, double degrees_of_freedom);

}  // namespace bench
