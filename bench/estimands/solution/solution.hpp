// The estimand of steps whose counts are tallies of random walks that estimate a vector (solution_of.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/chance/whitening.hpp"
#include "bench/estimands/solution/solution_of.hpp"
#include "bench/tally.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {

/// A sum of entries of the estimate that is judged: a functional or a group.
struct JudgedSum {
    Expected exact;
    double variance;  // of the estimate from one history

    /// Its standard deviation with so many histories; without variance, that of rounding.
    double sd(std::uint64_t histories) const;
};

/// Where the sums of a row are. A run has at most 2^63 transitions and 2^63 launches, so no sum exceeds 2^126:
///
///   sum               holds
///   transitions
///   histories
///   squares           of each launch's transitions
///   functionals       each: 2^31 + its distance from its exact mean, less than 2^31 units of 2^-16 standard deviations of a
///                     launch
///   chi_squared       the squared length of a launch's whitened functionals, in units of 2^-16: less than 2^56
///   residual          its squared norm in a launch, in units of 2^-16 standard deviations: less than 2^56
///   groups            as the functionals
///   entries           each tally plus 2^62
///
/// A launch beyond these ranges, which are thousands of standard deviations wide, fails its verdict.
class SolutionColumns {
 public:
    enum : std::size_t { transitions, histories, squares, functionals };
    static constexpr double grid = 1.0 / 65536;  // standard deviations
    static constexpr Uint128 zero_place = Uint128{1} << 31, end_place = Uint128{1} << 32;
    static constexpr Uint128 end_square = Uint128{1} << 56;
    static constexpr Uint128 zero_entry = Uint128{1} << 62;

    explicit SolutionColumns(const SolutionOf& what);
    std::size_t chi_squared, residual, groups, entries, width;
};

class Solution : public Estimand {
 public:
    /// Throws std::invalid_argument if the facts contradict each other.
    explicit Solution(SolutionOf what);

    const SolutionOf& what() const { return what_; }
    const SolutionColumns& columns() const { return columns_; }
    const Whitening& whitening() const { return whitening_; }

    /// Of the judged entries of x.
    double judged_norm() const { return what_.judged_norm != 0 ? what_.judged_norm : what_.norm; }

    JudgedSum functional(std::size_t k) const;
    JudgedSum group(std::size_t g) const { return {what_.groups[g].exact, what_.groups[g].variance}; }

    /// The chi-square of the functionals of a launch with these sums.
    double chi_squared_of_launch(const Row& row) const;

    /// Limits of the chi-square of the functionals of so many histories, over its expectation; shared among `n` of them.
    Limits chi_squared_range(std::uint64_t histories, double n = 1) const;

    /// What a unit of a tally adds to the estimate from so many histories.
    long double unit_of_estimate(std::uint64_t histories) const;

    /// The root of the mean squared error by chance of so many histories, over the norm of x. Empty: without functionals.
    std::optional<double> predicted_error(std::uint64_t histories) const;

    /// Throws VerdictError if what so many histories leave out by their ends, unless a user chose these, may exceed chance.
    void require_ends(std::uint64_t histories) const;

    /// Histories of a launch.
    std::uint64_t histories_of_launch(const LaunchSpec& spec) const;

    Unit unit() const override { return {what_.unit_one, what_.unit_many}; }
    const char* iterations() const override { return what_.histories == 0 ? what_.history_many : "share of a launch"; }
    bool iterations_are_free() const override { return what_.histories == 0; }
    const char* generator() const override { return what_.generator.c_str(); }
    Soundness soundness() const override { return what_.soundness; }
    const char* precision() const override { return "its predicted error"; }
    nlohmann::ordered_json problem() const override;
    bool work_is_known() const override;
    std::uint64_t most_launches() const override { return what_.most_launches; }
    void require_launches(std::uint64_t launches) const override { require_ends(launches * what_.histories); }
    void write_files(const Tally& tally) const override;
    std::uint64_t work_of_launch(const LaunchSpec& spec) const override;
    std::size_t width() const override { return columns_.width; }
    /// All but the groups and the entries.
    std::size_t traced() const override { return columns_.groups; }
    std::optional<Replay> replay(const LaunchSpec& spec, const Problem* problem, double transitions) const override;
    Row row_of(std::span<const Count> published, const LaunchSpec& spec) const override;
    std::uint64_t work_of(const Sums& sums, const LaunchSpec& spec) const override;
    void judge(const Tally& tally) const override;
    void check(const Tally& tally) const override;
    nlohmann::ordered_json outcome(const Tally& tally) const override;
    nlohmann::ordered_json point(const Sums& sums, const LaunchSpec& spec) const override;
    std::string report(const Tally& tally, Occasion occasion) const override;
    std::string estimate_so_far(const Tally& tally) const override;
    std::optional<VarianceRatio> variance_ratio(const Tally&) const override { return std::nullopt; }
    std::vector<Warning> warnings(const Tally& tally, Occasion occasion) const override;

 private:
    SolutionOf what_;
    SolutionColumns columns_;
    Whitening whitening_;  // of the functionals
};

/// The largest deviation of several sums, in terms of their limit.
struct Worst {
    std::size_t index;
    std::size_t of;  // sums that are judged
    Deviation deviation;
};

/// Reads the sums of launches. Empty results: the step has no such facts, or there are too few launches.
class MeasuredSolution {
 public:
    MeasuredSolution(const Solution& solution, const Sums& sums, const LaunchSpec& spec);

    const SolutionOf& what() const { return what_; }
    std::uint64_t launches() const { return sums_.launches; }
    std::uint64_t histories() const { return static_cast<std::uint64_t>(sums_.row[SolutionColumns::histories]); }
    std::uint64_t transitions() const { return static_cast<std::uint64_t>(sums_.row[SolutionColumns::transitions]); }

    /// Transitions of a history.
    double length() const { return static_cast<double>(transitions()) / static_cast<double>(histories()); }

    /// The deviation of the transitions, if their variance is known and not 0.
    std::optional<Deviation> length_deviation() const;

    /// The variance of a launch's transitions, likewise.
    std::optional<Spread> length_spread() const;

    /// The error of the judged entries relative to their norm. Random signs are uncorrelated, so the mean square of the
    /// functionals' errors estimates the squared error (Alon, Matias and Szegedy, "The space complexity of approximating
    /// the frequency moments", 1996). It has what the histories leave out because they end. predicted_error() is the root of
    /// the expectation of its square without that.
    std::optional<double> relative_error() const;
    std::optional<double> predicted_error() const;

    /// The largest part of the error that does not come by chance, likewise: by the step's arithmetic and the histories' ends.
    std::optional<double> systematic_error() const;

    std::optional<Worst> worst_functional() const;
    std::optional<Worst> worst_group() const;

    /// Of the whitened functionals of all launches together, over their number.
    std::optional<Spread> chi_squared() const;

    /// The variance of the whitened functionals over the launches, over the exact one.
    std::optional<Spread> dispersion() const;

    /// The squared norm of the residual: its mean over the launches.
    std::optional<Spread> residual() const;

    /// V L / |x|^2: transitions times the squared relative error.
    std::optional<double> merit() const;

    /// Entry j of the estimate, if a file gets x.
    double entry(std::size_t j) const;

 private:
    std::size_t functionals() const { return columns_.chi_squared - SolutionColumns::functionals; }
    double error(const JudgedSum& sum, std::size_t column) const;
    std::vector<double> functional_errors() const;
    std::optional<Worst> worst_of(std::size_t count, std::size_t first_column,
                                  const std::function<JudgedSum(std::size_t)>& sum) const;

    const Solution& solution_;
    const SolutionOf& what_;
    const SolutionColumns& columns_;
    const Sums& sums_;
    std::uint64_t of_launch_;  // histories
};

/// Throws VerdictError unless the transitions of a launch are possible.
void judge_length(const SolutionOf& what, std::uint64_t transitions, std::uint64_t histories);

/// The verdict on a run. Throws VerdictError.
void judge(const MeasuredSolution& measured, const Solution& solution, const Tally& tally);

}  // namespace bench
