// The estimand of steps whose counts are sums of numbers with known means (means_of.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/means/means_of.hpp"
#include "bench/tally.hpp"

namespace bench {

// Where the columns of means_of.hpp stand.
inline constexpr std::size_t numbers_column = 0, bad_column = 1, positive_column = 2, first_sum = 3;
inline constexpr std::uint64_t zero_place = std::uint64_t{1} << 22;

/// What each number adds to the product of two different statistics.
inline constexpr std::uint64_t product_offset = std::uint64_t{1} << 44;

inline std::size_t published_columns(const MeansOf& what) { return columns_of(what.statistics.size()); }

/// The column of the product of statistics i <= j.
inline std::size_t product_column(const MeansOf& what, std::size_t i, std::size_t j) {
    const std::size_t n = what.statistics.size();
    return first_sum + n + i * n - i * (i + 1) / 2 + j;
}

inline std::uint64_t numbers_of_launch(const LaunchSpec& spec) { return spec.streams * spec.iters; }

inline std::uint64_t blocks_of(const MeansOf& what, const LaunchSpec& spec) {
    return spec.published / published_columns(what);
}

/// A row has the published columns, each summed over the blocks. Then come the squares of each statistic's sum over a
/// launch and, if the blocks are the independent units, over a block.
class Means : public Estimand {
 public:
    /// Throws std::logic_error if the facts contradict each other.
    explicit Means(const MeansOf& what);

    const MeansOf& what() const { return what_; }

    Unit unit() const override { return {what_.unit_one, what_.unit_many}; }
    const char* iterations() const override { return what_.number; }
    const char* generator() const override { return what_.generator; }
    Soundness soundness() const override { return what_.soundness; }
    const char* precision() const override { return "its standard deviation"; }
    std::uint64_t work_of_launch(const LaunchSpec& spec) const override;
    std::uint64_t least_launches() const override;
    std::size_t width() const override;
    std::optional<Replay> replay(const LaunchSpec& spec, const Problem*, double units) const override;
    Parts parts(const LaunchSpec& spec) const override;
    Row row_of(std::span<const Count> published, const LaunchSpec& spec) const override;
    std::uint64_t work_of(const Sums& sums, const LaunchSpec& spec) const override;
    void judge(const Tally& tally) const override;
    void check(const Tally& tally) const override;
    nlohmann::ordered_json outcome(const Tally& tally) const override;
    nlohmann::ordered_json point(const Sums& sums, const LaunchSpec& spec) const override;
    std::string report(const Tally& tally, Occasion occasion) const override;
    std::string estimate_so_far(const Tally& tally) const override;
    std::optional<VarianceRatio> variance_ratio(const Tally& tally) const override;
    std::vector<Warning> warnings(const Tally& tally, Occasion occasion) const override;

 private:
    MeansOf what_;
};

/// Float arithmetic rounds the payoffs of constant paths by up to this share.
inline constexpr double constant_tolerance = 1e-5;

/// The unit of a statistic's grid.
double grid_unit(const MeansOf& what, std::size_t i);

/// A measured mean. The standard deviation is that of chance alone; it is empty if it is not known.
struct MeasuredMean {
    double value;
    std::optional<double> sd;
    double degrees_of_freedom;  // of the standard deviation; infinite if the variance is known or of very many numbers
};

/// Reads the sums of launches.
class MeasuredMeans {
 public:
    MeasuredMeans(const Means& means, const Sums& sums, const LaunchSpec& spec);

    const MeansOf& what() const { return what_; }
    std::uint64_t numbers() const { return numbers_; }
    std::uint64_t numbers_of_launch() const { return numbers_of_launch_; }
    std::uint64_t positive() const;
    std::uint64_t bad() const;

    /// The mean of statistic `i`, without controls.
    MeasuredMean mean(std::size_t i) const;

    /// The mean of statistic 0, with controls if the step has some.
    MeasuredMean estimate() const;

    /// Whether all numbers have the same statistic `i`. The sums have no room for more than 2^41 numbers.
    bool all_equal(std::size_t i) const;

    /// The variance of one value of statistic `i`; empty with fewer than two numbers.
    std::optional<double> variance(std::size_t i) const;

    /// The spread of statistic i's sum over the launches or the blocks, relative to as many independent numbers. Empty if the
    /// variance of these is unknown or 0, or with fewer than two units.
    std::optional<Spread> launch_spread(std::size_t i) const;
    std::optional<Spread> block_spread(std::size_t i) const;

    std::uint64_t launches() const { return sums_.launches; }
    std::uint64_t blocks() const { return sums_.launches * blocks_of_launch_; }

    /// The sum of statistic `i`, in units of its grid, over launches with these sums and this many numbers.
    static long double grid_sum(const Row& row, std::size_t i, std::uint64_t numbers);

 private:
    long double sum(std::size_t i) const;  // in the statistic's unit
    long double covariance(std::size_t i, std::size_t j) const;
    std::optional<double> unit_variance(std::size_t i, std::size_t first_column, std::uint64_t units) const;
    std::optional<double> launch_variance(std::size_t i) const;
    std::optional<double> block_variance(std::size_t i) const;
    std::optional<Spread> spread(const std::optional<double>& of_unit, std::size_t i, std::uint64_t numbers,
                                 std::uint64_t units, const char* over) const;

    const MeansOf& what_;
    const Sums& sums_;
    std::uint64_t numbers_of_launch_, blocks_of_launch_, numbers_of_block_, numbers_;
};

/// The deviation of a mean, whose limit depends on how its standard deviation is known. Empty without one.
std::optional<Deviation> deviation(const MeasuredMean& mean, const Expected& expected);

/// The expectation of statistic 0 in the step's arithmetic: the reference and the known bias.
Expected expected_estimate(const MeansOf& what);

/// The deviation of the measured variance of statistic `i`. Empty if it or the known one is not known.
std::optional<Deviation> variance_deviation(const MeasuredMeans& measured, std::size_t i);

/// The deviation of the share of positive numbers. Empty if it is not known.
std::optional<Deviation> positive_deviation(const MeasuredMeans& measured);

/// Throws VerdictError unless chance explains a launch's published sums: each block has its share of the numbers, none is
/// bad, and no block's mean is far out. `published` has been checked for unwritten counts.
void judge_blocks(const MeansOf& what, std::span<const Count> published, const LaunchSpec& spec);

/// The verdict on a run. Throws VerdictError.
void judge(const MeasuredMeans& measured, const Tally& tally);

}  // namespace bench
