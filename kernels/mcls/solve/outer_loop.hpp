// Monte Carlo synthetic acceleration: H. M. Evans, S. W. Mosher, S. R. Slattery and S. P. Hamilton, "A Monte Carlo
// synthetic-acceleration method for solving the thermal radiation diffusion equation", J. Comput. Phys. 258, 2014.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/mcls/solve/arithmetic.cuh"

namespace mcls {

/// The number of histories that a step on a GPU has at least, unless the user chooses. Fewer leave a large GPU idle, or take less
/// time than the `n` entries of x, r and the table of starts.
std::uint64_t fewest_histories(std::uint32_t n);

/// A vector x and its residual r = b - (I - H) x, on a GPU or on the host.
class Iterate {
 public:
    virtual ~Iterate() = default;

    /// The number of entries.
    virtual std::uint32_t n() const = 0;

    /// Those of a step at least, unless the user chooses.
    virtual std::uint64_t fewest_histories() const { return mcls::fewest_histories(n()); }

    /// x = 0. Returns the sizes of r, as do the others.
    virtual Sizes begin() = 0;

    /// x += r.
    virtual Sizes sweep() = 0;

    /// The most histories of a launch: its blocks count theirs.
    virtual std::uint64_t most_histories() const = 0;

    /// What histories have changed.
    struct Corrected {
        Sizes residual;
        std::uint64_t transitions;
    };
    /// x += the mean over the histories of a launch, which start at states drawn by |r|, in tallies of so many bits.
    virtual Corrected correct(std::uint32_t launch, std::uint64_t histories, int bits) = 0;

    virtual std::vector<double> x() const = 0;
};

/// An outer step: a sweep and a correction.
struct OuterStep {
    std::uint32_t number;     // from 1
    std::uint64_t histories;  // 0 if the sweep reached the tolerance
    std::uint64_t transitions;
    double ms;        // from x = 0 to its end
    double residual;  // the norm of c - A x over that of c, as the iterate has it
    double factor;    // of the residual
};

struct SolveLimits {
    double tolerance;
    std::uint32_t steps;                     // at most
    std::optional<std::uint64_t> histories;  // of a step; empty: what is cheapest, by the factor of the step before
};

/// The cheapest number of histories for a step, after one with so many that multiplied the residual by `factor`.
std::uint64_t cheapest_histories(std::uint64_t histories, double factor);

/// The bits of tallies, by the sizes of a residual and the number of histories that correct it.
using BitsOf = std::function<int(const Sizes&, std::uint64_t)>;

/// Throws bench::UsageError if a launch cannot count the histories that the user chose.
void check_histories(const SolveLimits& limits, const Iterate& iterate);

/// Makes steps until the residual is within the tolerance and returns them. Calls report(step) after each, untimed.
/// Throws bench::VerdictError if the residual grows in three steps in a row or overflows, stays the same in three that have more
/// and more histories, or is above the tolerance after the last step.
std::vector<OuterStep> solve(Iterate& iterate, const SolveLimits& limits, const BitsOf& bits_of,
                             const std::function<void(const OuterStep&)>& report);

}  // namespace mcls
