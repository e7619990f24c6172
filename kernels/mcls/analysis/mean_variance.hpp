#pragma once

namespace mcls {

/// The mean and the variance of a number.
struct MeanVariance {
    double mean, variance;
};

}  // namespace mcls
