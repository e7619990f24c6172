// Tests whether a parity of bits of successive draws is biased.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/estimands/hits/source.hpp"

namespace quality {

/// `bits` adjacent bits, starting at bit number `first`, of each of `draws` successive draws. At most 30 bits in all.
struct Window {
    unsigned first;
    unsigned bits;
    unsigned draws;
};

/// Statistics of the parities of all subsets of a window's bits that include a bit of the latest draw. (The other subsets
/// give the same parities one draw earlier.) A parity is a sum of +-1 over the positions of the window.
struct WindowParities {
    std::uint64_t positions;
    double chi2;                 // sum of the squared parities, in units of their variance
    double dof;                  // number of parities
    double p;                    // of chi2, two-sided
    double largest;              // largest distance of a parity from 0, in sd
    std::uint32_t largest_mask;  // its subset; the latest draw is lowest
    double p_largest;            // probability that any of the parities is that far from 0 (Bonferroni)
};

/// Counts the bit patterns of the window at every position in `words`. The Walsh-Hadamard transform of these counts holds
/// all parities. For independent bits chi2 has a chi-square distribution with `dof` degrees of freedom (I. J. Good, "The
/// serial test for sampling numbers and other tests for randomness", Proc. Cambridge Phil. Soc. 49, 1953). Throws
/// std::invalid_argument for fewer words than draws, and for 2^31 words or more.
WindowParities window_parities(std::span<const std::uint32_t> words, const Window& window);

/// The same for each window, in `draws` draws of the first thread of a source. Uses all cores.
std::vector<WindowParities> window_parities(const bench::Source& source, std::uint64_t seed, std::size_t draws,
                                            const std::vector<Window>& windows);

}  // namespace quality
