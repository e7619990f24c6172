// Means over the histories that start in the same stratum.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/analysis/resolvent.hpp"

namespace mcls {

/// The strata of adjoint histories. What a history adds up to has a mean in each: that of its first weight times a function of
/// the state that it starts at.
class StrataMeans {
 public:
    explicit StrataMeans(const Histories& histories);

    /// The means over all strata of the product of two functions' means: row a, column b of the result for functions side by side.
    std::array<Lanes, lanes> products(std::span<const Lanes> a, std::span<const Lanes> b) const;

    /// The same for one function with itself.
    double square(std::span<const double> function) const;

    /// The same for functions that are 1 at one state and 0 at the others, each with itself: for each state.
    std::vector<double> squares() const;

 private:
    struct Term {
        std::uint32_t state;
        double coefficient;
    };
    void add(std::uint32_t state, double coefficient);
    void close(double strata);
    std::span<const Term> terms_of(std::size_t group) const {
        return std::span(terms_).subspan(first_[group], first_[group + 1] - first_[group]);
    }

    std::size_t states_;
    double stratum_;  // as a part of all
    std::vector<Term> terms_;
    std::vector<std::size_t> first_{0};  // of each group of strata that are alike
    std::vector<double> part_;           // of all strata that a group has
};

}  // namespace mcls
