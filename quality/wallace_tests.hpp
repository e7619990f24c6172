// Tests of Wallace's generator that know how it works. They follow pools on the CPU, whose floats are those of the steps n4
// and n5. A test fails beyond 5 standard deviations of what independent normals give.
//
//   W1  variance of the sum of squares of a pass, within a pool, over 2 K
//   W2  autocorrelation of sum z^4 / (sum z^2)^2 at lag 1: theory 1/4, because a number is half of four others
//   W3  correlation of a number with the first of the four that it comes from: 1/2
//   W4  mean square of a pool's autocorrelation of the sum of a pass, times the number of passes, at lag 256. There the
//       permutations repeat, so a pool with K degrees of freedom keeps a correlation of its own: theory 1 + passes/K
//   W5  variance between pools of their mean sum of squares, over that of independent normals
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace quality {

/// Where the numbers of a pass come from.
enum class Normals {
    wallace,              // n4 and n5: pools scaled to a sum of squares of K, chi factors for K
    wallace_without_chi,  // the same pools, no factor
    wallace_of_chapter,   // the chapter's code: pools not scaled, factors for 16 K, all pools with one m
    independent           // the ziggurat
};

inline constexpr std::array wallace_variants = {Normals::wallace, Normals::wallace_without_chi,
                                                Normals::wallace_of_chapter};

const char* name_of(Normals normals);

struct Finding {
    const char* test;  // "W1"
    double value;
    double independent;  // its expectation for independent normals
    double sigma;        // by which it differs, in standard deviations
    bool passes() const;
};

inline constexpr unsigned wallace_test_count = 5;

/// Whether each test passes on these normals, by theory.
std::array<bool, wallace_test_count> expected_passes(Normals normals);

/// The five tests on 16 pools of 25,600 passes each, on all cores.
std::array<Finding, wallace_test_count> wallace_findings(Normals normals, std::uint64_t seed);

}  // namespace quality
