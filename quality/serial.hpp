// Are pairs of words uniform over the unit square, as far as their leading 8 bits go?
#pragma once

#include <cstdint>
#include <span>

namespace quality {

struct Serial {
    std::uint64_t pairs;
    double chi2;
    unsigned dof;
    double p;  // two-sided: pairs can also lie too evenly
};

/// The serial test in two dimensions (Knuth, The Art of Computer Programming 2, section 3.3.2 B) on the pairs counted in
/// serial_cells cells.
Serial serial(std::span<const std::uint64_t> counts);

}  // namespace quality
