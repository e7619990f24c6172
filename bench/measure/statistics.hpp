// Order statistics of timings.
#pragma once

#include <cstddef>
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

/// Number of successive `values` that together tell as much about their median as one independent value: from 1
/// (independent) to all of them. `values` are finite and in the order of time.
///
/// The variance of the mean of a batch, relative to that of independent values, is measured in batches of 1, 2, 4, ...
/// values, down to 8 batches. Batches that still depend on each other widen it by (1 + r) / (1 - r), with their
/// autocorrelation r. The largest of these results counts. All of it uses ranks, so outliers do not matter. r is
/// corrected by its bias (1 + 3 r) / n (Kendall, Biometrika 41, 1954) and raised by three quarters of a standard error,
/// to err on the safe side. Batches and widening follow Alexopoulos et al., "Sequest", Operations Research 67, 2019.
double autocorrelation_time(std::span<const double> values);

}  // namespace bench
