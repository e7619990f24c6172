// Tests whether pairs of words are uniform over the unit square, in their leading 8 bits.
#pragma once

#include <cstdint>
#include <span>

namespace quality {

struct Serial {
    std::uint64_t pairs;
    double chi2;
    unsigned dof;
    double p;  // two-sided, because too uniform is a fault too
};

/// The serial test in two dimensions (Knuth, The Art of Computer Programming 2, section 3.3.2 B). `counts` holds the
/// pairs in each cell.
Serial serial(std::span<const std::uint64_t> counts);

}  // namespace quality
