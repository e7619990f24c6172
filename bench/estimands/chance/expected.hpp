// What a verdict expects. .cu files include it, so it is C++17.
#pragma once

namespace bench {

/// A known number, the standard deviation of its own error (0 if it is exact), and how far a step's arithmetic may be off
/// besides.
struct Expected {
    double value;
    double sd = 0;
    double within = 0;
};

/// The independent units of a run, over which its variance is measured: samples (or paths, or numbers); published counts,
/// if the samples of a block depend on each other; launches, if all samples of a launch do.
enum class Independent { samples, counts, launches };

}  // namespace bench
