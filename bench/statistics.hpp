// Order statistics of timings, the variance of hits, quantiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The variance of values that are not kept. B. P. Welford, "Note on a method for calculating corrected sums of squares and
/// products", Technometrics 4(3), 1962.
class RunningVariance {
 public:
    void add(double value);
    std::uint64_t count() const { return count_; }

    /// Sample variance of the values so far, in their unit squared; nothing with fewer than two.
    std::optional<double> variance() const;

 private:
    std::uint64_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;  // sum of squared distances from the mean
};

/// The t that Student's distribution exceeds, to either side, with probability `two_sided_tail` in all. Throws
/// std::domain_error unless 0 < two_sided_tail < 1 and degrees_of_freedom > 0.
double student_t_quantile(double two_sided_tail, double degrees_of_freedom);

}  // namespace bench
