// What the solvers on the GPU share.
#pragma once

#include <vector>

#include "bench/workers/resources.hpp"
#include "kernels/peers/solver.hpp"

namespace peers {

using bench::on_device;

inline std::vector<double> reciprocals(std::vector<double> values) {
    for (double& value : values) value = 1 / value;
    return values;
}

/// The squared norm of a residual that is small enough.
inline double enough(const LinearSystem& system) {
    double sum = 0;
    for (const double b : system.b) sum += b * b;
    return tolerance * tolerance * sum;
}

}  // namespace peers
