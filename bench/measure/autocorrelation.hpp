// How much successive values depend on each other.
#pragma once

#include <span>

namespace bench {

/// Number of successive `values` that tell as much of their median as one independent value: from 1 (independent) to
/// as many as there are. `values` are finite and in the order of time.
///
/// The variance of the mean of a batch, over what independent values would give, is measured in batches of 1, 2, 4, ...
/// values, down to 8 batches; what the batches still depend on each other widens it by (1 + r) / (1 - r), r their
/// autocorrelation. The largest of these counts. All of it is done on ranks, so that outliers do not matter. r has its
/// bias (1 + 3 r) / n added (Kendall, Biometrika 41, 1954) and three quarters of a standard error, to err to the safe side. Batches
/// and the widening as in Alexopoulos et al., "Sequest", Operations Research 67, 2019.
double autocorrelation_time(std::span<const double> values);

}  // namespace bench
