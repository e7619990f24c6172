// How the peers that solve a linear system are measured, and what they print: one JSON object, as analyse/peers.py has it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/mcls/system/systems.hpp"
#include "kernels/peers/solver.hpp"

namespace peers {

/// Facts of a peer, as they are printed.
struct SolverFacts {
    std::string peer;
    std::string package;
    std::string method;
    std::string system;
    std::string processor;  // "gpu" or "cpu"
};

/// The system as solvers want it. Throws bench::UsageError as mcls::jacobi().
LinearSystem linear_system(const mcls::System& system);

/// Tells how good a solution is.
class Judge {
 public:
    /// The exact solution is the Neumann series, summed until its terms no longer change the sum.
    explicit Judge(const mcls::System& system);

    /// ||b - A x|| / ||b||.
    double residual(const std::vector<double>& x) const;

    /// ||x - exact|| / ||exact||.
    double error(const std::vector<double>& x) const;

 private:
    mcls::System system_;
    std::vector<double> exact_;
};

/// Prepares a solver and times that, then solves with 1, 2, 3, 4, 6, 8, ... iterations at most until the tolerance is reached,
/// each a few times, and prints all that.
void measure_solver(const SolverFacts& facts, const mcls::System& system,
                    const std::function<std::unique_ptr<Solver>(const LinearSystem&)>& prepare);

}  // namespace peers
