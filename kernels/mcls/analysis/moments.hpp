// Exact moments of what a history adds up, X: its mean and its variance, by which estimates are judged. Host only, in double.
// Formulas: sums over the second moments of the weights, which the matrix squared() carries from state to state.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/mcls/analysis/functionals.hpp"
#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/analysis/last_sums.hpp"
#include "kernels/mcls/analysis/mean_variance.hpp"
#include "kernels/mcls/analysis/resolvent.hpp"

namespace mcls {

/// Mean and covariance of the 64 functionals of X.
struct FunctionalMoments {
    std::vector<double> mean;        // 64
    std::vector<double> covariance;  // 64 x 64. Its rank is at most the number of states
};

/// Disjoint sets of states, and the moments of the sum of X over each.
struct Pools {
    std::vector<std::uint32_t> state;  // of all pools
    std::vector<std::uint32_t> first;  // of each pool, and the number of states: pools + 1 values
    std::vector<MeanVariance> law;     // of each pool

    std::size_t size() const { return law.size(); }
    std::span<const std::uint32_t> states_of(std::size_t pool) const {
        return std::span(state).subspan(first[pool], first[pool + 1] - first[pool]);
    }
};

/// Moments of one history, for Histories with finite second moments (see convergence.hpp). X is what one history adds to all
/// states (adjoint), or a history from every state adds to its entry, all independent (forward). The mean of N histories has the
/// same mean and a covariance divided by N.
///
/// With strata X is what one history adds on average over a launch: the mean of the launch's N histories has its covariance,
/// divided by N.
///
/// A cutoff is ignored here. It moves means by at most cutoff_bias(); it takes nothing noticeable from variances if small.
class Moments {
 public:
    /// `judged`: the states that functionals and pools may use, those that are not 0; empty for all. No path of B may lead from
    /// one of them to another through a state that is not judged.
    explicit Moments(Histories histories, std::vector<std::uint8_t> judged = {});

    /// E X: b + H b + ... + H^steps b.
    const std::vector<double>& mean() const { return mean_; }

    /// Of the judged states alone; the other coefficients are 0. Exact to 1e-6, for the number of steps as well. In large systems
    /// whose series converges so slowly that many steps are too few, covariances may be off by some percent.
    FunctionalMoments functionals() const;

    /// Judged states pooled with their neighbours until at least `visits` effective visits by `histories` histories: the square
    /// of the expected sum of |weights| over that of squared weights (adjoint; never more than the expected visits), or
    /// histories (forward). Neighbours are successive states of a strongly connected component; what is left of a component
    /// joins its last pool, and a component with too few visits has no pool.
    /// Variances are exact, but in two cases of adjoint histories with more than 64 pools: when the component has no narrow band,
    /// or histories end after so few steps that the series has not converged. There they are estimated without bias
    /// from solutions for 64 combinations of pools, to a few percent.
    /// With strata they are too large in systems of more than 4096 states: those without strata.
    Pools pools(double histories, double visits) const;

    /// The variances of all states, judged or not, added up. Where pools' variances are estimated, so is this one, to about 1e-3.
    double total_variance() const;

    /// How much of total_variance() comes from the starts: so much less is the variance if history h of N starts in the h-th N-th of
    /// their distribution, for N much larger than the number of states. Adjoint histories after many steps, as far as the
    /// series has converged. Exact to 1e-6 in systems of up to 4096 states; otherwise estimated from the 64 functionals.
    double variance_of_starts() const;

    /// ||b - (I - H) X||^2 of the mean X of `histories` adjoint histories. The variance is that of a normal distribution of the
    /// same covariance, the limit for many histories. None for forward histories, if not all states are judged, and if
    /// the series has not converged after the steps.
    std::optional<MeanVariance> squared_residual(double histories) const;

 private:
    struct Runs;  // successive states, in the order of the components
    bool is_judged(std::uint32_t state) const { return judged_.empty() || judged_[state] != 0; }
    void follow_weights();
    void weigh(std::span<Lanes> c) const;
    void follow(std::span<Lanes> c) const;
    std::vector<double> products_of_means(const std::vector<double>& mean) const;
    std::vector<double> squares_of_means(std::span<const std::uint32_t> first) const;
    MeanVariance residual_of_strata(const std::vector<double>& diagonal, const std::vector<double>& squares,
                                    double histories) const;
    bool has_strata() const { return histories_.strata != 0; }
    std::vector<double> second_moments_of(std::span<const std::uint32_t> first, std::size_t probes) const;
    std::vector<double> run_variances(std::span<const std::uint32_t> first, std::size_t probes) const;

    Histories histories_;
    std::vector<std::uint8_t> judged_;
    std::vector<double> mean_;
    std::vector<double> variance_;        // of each state (forward)
    std::vector<double> second_;          // sums over visits of the squared weight (adjoint)
    std::vector<double> absolute_;        // and of the absolute weight
    bool converged_ = false;              // the series, long before the steps end (adjoint)
    std::optional<Resolvent> resolvent_;  // of B, if second_ is as good as the same in the last steps
    std::optional<LastSums> last_sums_;   // otherwise second_ after each of the last steps
    Components components_;
};

}  // namespace mcls
