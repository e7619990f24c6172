// Measures how much successive values depend on each other.
#pragma once

#include <span>

namespace bench {

/// Number of successive `values` that together tell as much about their median as one independent value: from 1
/// (independent) to all of them. `values` are finite and in the order of time.
///
/// The variance of the mean of a batch, relative to that of independent values, is measured in batches of 1, 2, 4, ...
/// values, down to 8 batches. Batches that still depend on each other widen it by (1 + r) / (1 - r), with their
/// autocorrelation r. The largest of these results counts. All of it uses ranks, so outliers do not matter. r is
/// corrected by its bias (1 + 3 r) / n (Kendall, Biometrika 41, 1954) and raised by three quarters of a standard error,
/// to err on the safe side. Batches and widening follow Alexopoulos et al., "Sequest", Operations Research 67, 2019.
double autocorrelation_time(std::span<const double> values);

}  // namespace bench
