#include "quality/serial.hpp"

#include <numeric>

#include "quality/p_values.hpp"

namespace quality {

Serial serial(std::span<const std::uint64_t> counts) {
    Serial s;
    s.pairs = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    s.dof = static_cast<unsigned>(counts.size()) - 1;
    const double expected = static_cast<double>(s.pairs) / static_cast<double>(counts.size());
    s.chi2 = 0;
    for (const std::uint64_t count : counts) {
        const double deviation = static_cast<double>(count) - expected;
        s.chi2 += deviation * deviation / expected;
    }
    s.p = p_of_chi_square(s.chi2, s.dof);
    return s;
}

}  // namespace quality
