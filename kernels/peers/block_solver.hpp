// Conjugate gradients in one thread block, for small systems: a solve is one launch.
#pragma once

#include <memory>

#include "kernels/peers/solver.hpp"

namespace peers {

/// With the diagonal as preconditioner. Throws bench::UsageError for more than 1024 unknowns or a row with more than 8 entries,
/// bench::NoGpuError without a GPU.
std::unique_ptr<Solver> block_solver(const LinearSystem& system);

}  // namespace peers
