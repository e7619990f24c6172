// Solvers on the GPU: products with the matrix by cuSPARSE, all else by kernels of our own, iterations in CUDA graphs.
#pragma once

#include <memory>
#include <string>

#include "kernels/peers/solver.hpp"

namespace peers {

/// Conjugate gradients, "cg", or BiCGSTAB, "bicgstab", both with the diagonal as preconditioner, or "jacobi". Throws
/// bench::UsageError for another name, and bench::NoGpuError without a GPU.
std::unique_ptr<Solver> cusparse_solver(const std::string& method, const LinearSystem& system);

/// Name and version of the library.
std::string cusparse_package();

}  // namespace peers
