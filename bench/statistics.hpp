// Order statistics of timings.
#pragma once

#include <span>

namespace bench {

/// Summary of a set of values, in their unit.
struct Summary {
    double median;
    double low;  // 95 % interval of the median
    double high;
    double min;
    double max;
    bool interval_is_95;  // false with fewer than 6 values: low and high are then min and max
};

/// Summary of `values` (at least one, finite; any order; throws std::invalid_argument otherwise).
///
/// The interval lies between two order statistics, x(j) and x(n+1-j), with the largest j for which the chance that
/// fewer than j of n values fall below the true median, P(Bin(n, 1/2) < j), is at most 2.5 %: exact for every
/// distribution, no resampling. David and Nagaraja, "Order Statistics", 3rd edition, section 7.1.
Summary summarize(std::span<const double> values);

/// Number j above for n values; 0 where no interval reaches 95 % (n < 6).
std::size_t interval_rank(std::size_t n);

}  // namespace bench
