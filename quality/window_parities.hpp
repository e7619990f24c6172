// Is any parity of the bits of a few successive draws biased?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/estimands/source.hpp"

namespace quality {

/// `bits` neighbouring bits of a word, from number `first` on, of each of `draws` successive draws: no more than 30 bits
/// together.
struct Window {
    unsigned first;
    unsigned bits;
    unsigned draws;
};

/// What the parities of all subsets of the bits of a window say that take part of the latest draw; the others are the same
/// parities one draw earlier. Each is a sum of +-1 over the positions of the window.
struct WindowParities {
    std::uint64_t positions;
    double chi2;                 // sum over the parities of their squared distances from 0, in sd
    double dof;                  // parities
    double p;                    // of chi2, two-sided
    double largest;              // distance from 0, in sd
    std::uint32_t largest_mask;  // of the subset, latest draw lowest
    double p_largest;            // that any of so many parities lies as far out (Bonferroni)
};

/// Counts every position of the window in `words` and takes the Walsh-Hadamard transform of the counts, which holds all
/// parities. For independent bits chi2 is a chi-square variable of `dof` degrees of freedom (I. J. Good, "The serial test
/// for sampling numbers and other tests for randomness", Proc. Cambridge Phil. Soc. 49, 1953). Throws
/// std::invalid_argument where there are fewer words than draws or 2^31 and more.
WindowParities window_parities(std::span<const std::uint32_t> words, const Window& window);

/// The same of each window in `draws` draws of the first thread of a source, on all cores.
std::vector<WindowParities> window_parities(const bench::Source& source, std::uint64_t seed, std::size_t draws,
                                            const std::vector<Window>& windows);

}  // namespace quality
