// What a step publishes whose counts are sums of numbers with known means: payoffs of paths, Gaussian numbers.
// .cu files include it, so it is C++17.
//
// A launch draws `streams * iters` numbers, or vectors of numbers: one for each path, say. A block publishes, in whole
// numbers, a column of sums over its own numbers. counts[published_at(column, block, blocks)] holds:
//
//   column            sum
//   0                 numbers
//   1                 bad numbers: any statistic of them is not finite or exceeds the range of its grid
//   2                 numbers whose first statistic is positive
//   3 + i             of statistic i: its place on the grid, from 0 to 2^23 - 1
//   then, for each pair i <= j in the order (0,0) (0,1) ... (1,1) ...:
//                     of the product of statistics i and j, in the squares of their units, plus 2^44 for each number if
//                     i < j
//
// The grid of a statistic has the unit 2^-bits. What a step adds is rounded to the nearest multiple q of it, |q| < 2^22,
// whose place is q + 2^22. So no sum is negative, all are exact, and their order does not matter. A statistic is what the
// step adds, divided by MeansOf::per.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "bench/estimands/chance/expected.hpp"
#include "bench/step.hpp"

namespace bench {

/// A quantity of each number or path, whose mean is known.
struct Statistic {
    const char* name;  // "payoff"
    int bits;          // the unit of its grid is 2^-bits
    Expected mean;
    /// Of one value. Without it, the mean is judged by the measured variance.
    std::optional<Expected> variance = std::nullopt;
    /// E (v - mean)^4 / variance^2, with which the measured variance is judged. 0: it is not judged.
    double kurtosis = 0;
};

/// The first value beyond the grid of `bits`: 2^(22 - bits).
constexpr double grid_end(int bits) { return bits <= 22 ? double(1 << (22 - bits)) : 1.0 / double(1 << (bits - 22)); }

/// How far a statistic in the step's arithmetic may be from its replay in double precision, before rounding to the grid.
struct ReplayError {
    double of_one;   // of one number
    double of_mean;  // of the mean of many
};

/// The numbers of a launch, replayed on the host.
struct ReplayedNumbers {
    /// Calls `use` with the statistics of each number that a stream of the launch adds, in double precision. Several threads
    /// call it at once.
    std::function<void(const StreamId&, unsigned iters, const std::function<void(const double* statistics)>& use)>
        numbers;
    std::vector<ReplayError> error;  // of each statistic
    unsigned together = 1;           // streams that share their state: a call with the first replays them all
};

/// Maximum number of numbers of a block. Then no sum of a block exceeds 64 bits.
inline constexpr std::uint64_t most_numbers_of_block = 1u << 19;

/// The facts of a step whose counts are such sums.
struct MeansOf {
    const char* quantity;              // that statistic 0 estimates: "price"
    const char* number;                // what is summed, plural: "paths"
    const char *unit_one, *unit_many;  // of work: "path-step"
    unsigned steps = 1;                // units of work of a number
    const char* generator;             // of the random words: text for the report
    Soundness soundness;
    Independent independent = Independent::samples;
    std::vector<Statistic> statistics;  // the first one is the estimated quantity
    unsigned controls = 0;              // statistics 1 to `controls` reduce the variance of the first, by regression
    std::optional<Expected> positive = std::nullopt;  // known share of numbers whose first statistic is positive
    Expected bias = {0, 0};          // of the first statistic in the step's arithmetic: its mean less the reference's
    const char* reference = "";      // where the mean of the first statistic comes from: text for the report
    std::uint64_t most_numbers = 0;  // of a launch, from a set of points; 0: no limit
    double per = 1;  // numbers that the step adds are this multiple of the statistics, a sum of so many, say
    ReplayedNumbers replay = {};  // without numbers: the host cannot replay the step
    bool constant = false;        // every number is the same, the mean of its statistics within a float's error
};

/// Columns that a block publishes.
constexpr std::size_t columns_of(std::size_t statistics) { return 3 + statistics + statistics * (statistics + 1) / 2; }

/// Where a launch of so many blocks publishes the sum of a block. 32 bits, since 64 would cost kernels registers: a launch
/// with more sums is refused.
__host__ __device__ constexpr unsigned published_at(unsigned column, unsigned block, unsigned blocks) {
    return column * blocks + block;
}

/// The estimand of a step that publishes such sums.
std::shared_ptr<const Estimand> means(const MeansOf& what);

/// The facts of an estimand of means. Throws std::bad_cast for another estimand.
const MeansOf& means_of(const Estimand& estimand);

}  // namespace bench
