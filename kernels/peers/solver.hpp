// What the peers that solve a linear system have in common. .cu files include it, so it is C++17.
#pragma once

#include <cstdint>
#include <vector>

namespace peers {

/// A solver counts as done when the norm of its residual b - A x is at most this times that of b.
inline constexpr double tolerance = 1e-8;

/// Matrix of a linear system in compressed rows, its diagonal, and the right-hand side.
struct LinearSystem {
    std::vector<int> first;  // of each row, and the number of all entries
    std::vector<int> column;
    std::vector<double> value;
    std::vector<double> diagonal;
    std::vector<double> b;
};

/// How a solve ended.
struct Solved {
    std::uint64_t iterations;
    bool reached;  // the tolerance, as far as the solver knows
    double ms;     // on the clock of its processor
};

/// A solver of a system for which it is prepared.
class Solver {
 public:
    virtual ~Solver() = default;

    /// Solves from x = 0 until the tolerance is reached, with at most so many iterations.
    virtual Solved solve(std::uint64_t most) = 0;

    /// What the last solve() found.
    virtual std::vector<double> solution() const = 0;
};

}  // namespace peers
