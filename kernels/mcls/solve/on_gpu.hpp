// The iterate of mcls_solve on a GPU.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/mcls/solve/outer_loop.hpp"
#include "kernels/mcls/solve/problem.hpp"

namespace mcls {

/// On the current device. Throws CudaError.
std::unique_ptr<Iterate> iterate_on_gpu(const SolveProblem& problem, std::uint64_t seed);

}  // namespace mcls
