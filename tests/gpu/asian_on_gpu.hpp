// What the tests of the ladder asian run on a GPU: its float paths beside paths in double, and steps with planted faults.
#pragma once

#include "bench/step.hpp"

/// How far the payoffs of float paths are from those in double precision of the same words: the mean difference, its standard
/// deviation, and the largest difference.
struct PayoffError {
    double mean, sd, largest;
};

enum class FloatPath { prices, logarithms, bridge };

/// Of 2^20 paths of `steps` steps: 16, 64 or 256.
PayoffError payoff_error(FloatPath path, unsigned steps);

enum class AsianFault {
    lost_maximum,      // a path that pays nothing pays a negative amount
    swapped_drifts,    // the drifts of the assets are exchanged
    idle_warp,         // one warp walks no path
    repeated_numbers,  // every path of a thread is its first one
    infinite_normal    // one normal in a launch is infinite
};

/// Step a4 with a fault.
bench::Step asian_with(AsianFault fault);
