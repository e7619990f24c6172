// What the tests of the ladder asian run on a GPU: its float paths beside paths in double.
#pragma once

/// How far the payoffs of float paths are from those in double precision of the same words: the mean difference, its standard
/// deviation, and the largest difference.
struct PayoffError {
    double mean, sd, largest;
};

enum class FloatPath { prices, logarithms, bridge };

/// Of 2^20 paths of `steps` steps: 16, 64 or 256.
PayoffError payoff_error(FloatPath path, unsigned steps);
